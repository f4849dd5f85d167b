import { ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import { type Key, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/**
 * Removes accounts of an unfinished demo from a local table, in memory. What the service does with closed accounts is for
 * tables of any size, and for what strangers write (shared/domain/identity/erasing).
 */

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** What the keys of jobs begin with: accounts share these partitions. */
const JOBS = keys.jobShard(0).PK.replace(/\d+$/, '');

type Row = Key & { account_id?: string };

async function allRows(table: Table): Promise<Row[]> {
  const rows: Row[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const page: ScanCommandOutput = await table.client.send(
      new ScanCommand({ TableName: table.name, ConsistentRead: true, ExclusiveStartKey: after }),
    );
    rows.push(...((page.Items ?? []) as Row[]));
    after = page.LastEvaluatedKey;
  } while (after);
  return rows;
}

const idsIn = (text: string): string[] => text.match(ID) ?? [];

/**
 * Accounts share no ids, and in the demo nobody writes ids of others. So an item belongs to an account when it names the
 * account, or when its key has an id of the account; and the other ids of that key are the account's as well. The items
 * of each layer are found by ids of the one before.
 */
function layersOf(rows: Row[], account_ids: readonly string[]): Row[][] {
  const owned = new Set(account_ids);
  const isOwned = ({ PK, SK, account_id = '' }: Row) =>
    owned.has(account_id) || idsIn(`${PK} ${SK}`).some((id) => owned.has(id));
  const layers: Row[][] = [];
  for (let left = rows.filter(({ PK }) => !PK.startsWith(JOBS)); ; ) {
    const layer = left.filter(isOwned);
    if (layer.length === 0) break;
    left = left.filter((row) => !isOwned(row));
    for (const { PK, SK } of layer) for (const id of idsIn(`${PK} ${SK}`)) owned.add(id);
    layers.push(layer);
  }
  // A job names in its body what it works on.
  const jobs = rows.filter(({ PK }) => PK.startsWith(JOBS));
  return [...layers, jobs.filter((job) => idsIn(JSON.stringify(job)).some((id) => owned.has(id)))];
}

/** Nothing may work on the accounts meanwhile. May be interrupted anywhere and called again: the last layer goes first. */
export async function removeAccounts(table: Table, account_ids: readonly string[]): Promise<void> {
  for (const rows of layersOf(await allRows(table), account_ids).reverse())
    await table.writeMany(rows.map(({ PK, SK }) => ({ delete: { PK, SK } })));
}
