import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { type Key, keys } from '#shared/table/keys.ts';
import { ConditionFailed, mustNotExist, type Table } from '#shared/table/table.ts';

/** The version of the data in a table: one item, which the functions do not read. */

export interface DataVersion extends Key {
  version: number;
  /** The oldest version whose code works with this data. */
  readable_from: number;
  /** Counts the changes of this item, so that two migrations at once notice each other. */
  revision: number;
  /** A migration that has begun, and how far it is. */
  migrating?: { to: number; cursor: unknown };
}

/** Of data from before versions were written. */
export const FIRST_VERSION: DataVersion = {
  ...keys.tableFact('data_version'),
  version: 1,
  readable_from: 1,
  revision: 0,
};

export async function readVersion(table: Table): Promise<DataVersion | undefined> {
  return table.get<DataVersion>(keys.tableFact('data_version'));
}

async function isEmpty(table: Table): Promise<boolean> {
  const { Count } = await table.client.send(new ScanCommand({ TableName: table.name, Limit: 1 }));
  return Count === 0;
}

/** The version of the data; a table without one gets it: `current` when it is empty. */
export async function ensureVersion(table: Table, current: number): Promise<DataVersion> {
  const found = await readVersion(table);
  if (found) return found;
  const fresh = { ...FIRST_VERSION, version: current, readable_from: current };
  const item = (await isEmpty(table)) ? fresh : FIRST_VERSION;
  await table.put({ ...item }, mustNotExist).catch((error: unknown) => {
    // Another start was faster.
    if (!(error instanceof ConditionFailed)) throw error;
  });
  return (await readVersion(table)) as DataVersion;
}

/** Why code of this version must not run on the data; undefined when it may. */
export function misfit(data: DataVersion, code: number): string | undefined {
  if (data.readable_from > code)
    return `The data has version ${data.version}, and needs code of version ${data.readable_from} or newer. This is ${code}: take a newer release.`;
  if (data.version < code || data.migrating)
    return `The data has version ${data.version}, and this code needs ${Math.max(code, data.migrating?.to ?? 0)}: migrate it first.`;
  return undefined;
}
