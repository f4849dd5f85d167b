import { expect } from 'vitest';
import { type Key, keyOf } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Migration } from '../../infra/migrations/migrate.ts';
import { readVersion } from '../../infra/migrations/version.ts';

/** Two migrations to be thrown away, and rows for them in a table without a version. */

interface Row extends Key {
  words: string;
  count?: number;
}

const ROWS = ['one', 'two words', 'and three words'];
const row = (i: number) => ({ PK: 'ROWS', SK: `ROW#${i}` });

/** Counts the words of rows, two rows a step. */
export const counts: Migration = {
  version: 2,
  summary: 'counts words',
  readable_from: 1,
  async step(table, cursor) {
    const { items, last } = await table.query<Row>({
      partition: 'ROWS',
      limit: 2,
      after: cursor as Record<string, unknown> | undefined,
    });
    for (const item of items)
      await table.update<Row>(keyOf(item), { set: { count: item.words.split(' ').length } });
    return last;
  },
};
/** Doubles counts once, although a step may run twice. */
export const doubles: Migration = {
  version: 3,
  summary: 'doubles counts',
  readable_from: 2,
  async step(table, cursor) {
    const i = (cursor as number | undefined) ?? 0;
    const item = (await table.get<Row & { doubled?: boolean }>(row(i))) as Row & { doubled?: boolean };
    if (!item.doubled)
      await table.update<Row & { doubled?: boolean }>(keyOf(item), {
        set: { count: 2 * (item.count ?? 0), doubled: true },
      });
    return i + 1 < ROWS.length ? i + 1 : undefined;
  },
};
export const throwAway = [counts, doubles];
export async function givenRows(table: Table): Promise<void> {
  const old = await readVersion(table);
  if (old) await table.delete(keyOf(old));
  await table.writeMany(ROWS.map((words, i) => ({ put: { ...row(i), words } })));
}

export async function expectMigrated(table: Table): Promise<void> {
  const rows = await table.all<Row>('ROWS');
  expect(rows.map(({ count }) => count)).toEqual([2, 4, 6]);
  const { revision: _, ...version } = (await readVersion(table)) ?? { revision: 0 };
  expect(version).toEqual({ PK: 'TABLE#data_version', SK: 'META', version: 3, readable_from: 2 });
}
