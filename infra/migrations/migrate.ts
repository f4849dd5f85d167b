import { exactly } from '#shared/table/conditions.ts';
import { keyOf } from '#shared/table/keys.ts';
import { ConditionFailed, type Table } from '#shared/table/table.ts';
import { type DataVersion, ensureVersion } from './version.ts';

/** Changes stored data for new code, in steps that may be interrupted anywhere. */

export interface Migration {
  /** The version of the data that it makes: one more than the migration before it. */
  version: number;
  /** What it does, in a few words. */
  summary: string;
  /**
   * The oldest version whose code works with data in the middle of this migration and after it. The functions keep
   * running meanwhile, so it is below `version` unless they are stopped first.
   */
  readable_from: number;
  /**
   * Changes a few items from `cursor` on, which is undefined at first. Returns where the next step begins, as plain
   * data, or undefined at the end. A step runs again when its end was not recorded: then it changes nothing more.
   */
  step(table: Table, cursor: unknown): Promise<unknown>;
}

function requireOrder(migrations: readonly Migration[]): void {
  for (const [i, { version, readable_from }] of migrations.entries())
    if (version !== i + 2 || readable_from > version)
      throw new Error(`Migration ${version} is in the place of ${i + 2}, or reads too new data.`);
}

async function record(
  table: Table,
  from: DataVersion,
  change: Pick<DataVersion, 'version' | 'readable_from' | 'migrating'>,
): Promise<DataVersion> {
  const { migrating, ...always } = change;
  try {
    return await table.update<DataVersion>(keyOf(from), {
      set: { ...always, revision: from.revision + 1, ...(migrating ? { migrating } : {}) },
      ...(migrating ? {} : { remove: ['migrating'] }),
      when: { revision: exactly(from.revision) },
    });
  } catch (error) {
    if (error instanceof ConditionFailed)
      throw new Error('Another migration of this table runs. Nothing is lost: run one at a time.');
    throw error;
  }
}

/** One migration from where it stopped. */
async function finish(table: Table, begun: DataVersion, migration: Migration): Promise<DataVersion> {
  const { version: to, step } = migration;
  const readable_from = Math.max(begun.readable_from, migration.readable_from);
  // Recorded before the first change: from there on, older code must not come back.
  const start = { version: begun.version, readable_from, migrating: { to, cursor: null } };
  let data = begun.migrating ? begun : await record(table, begun, start);
  for (;;) {
    const cursor = await step(table, data.migrating?.cursor ?? undefined);
    if (cursor === undefined) return record(table, data, { version: to, readable_from });
    data = await record(table, data, { version: begun.version, readable_from, migrating: { to, cursor } });
  }
}

/** Brings the data to the newest version. Calls `told` before each migration. */
export async function migrate(
  table: Table,
  migrations: readonly Migration[],
  told: (line: string) => void,
): Promise<DataVersion> {
  requireOrder(migrations);
  let data = await ensureVersion(table, 1 + migrations.length);
  for (const migration of migrations) {
    if (migration.version <= data.version) continue;
    told(
      `${data.migrating ? 'Continuing' : 'Migrating'} to version ${migration.version}: ${migration.summary}`,
    );
    data = await finish(table, data, migration);
  }
  return data;
}
