import type { Services } from '#shared/services.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { removeAccounts } from '../remove-accounts.ts';

/**
 * While the demo is filled, the table says which accounts belong to it. Whoever stops meanwhile leaves half a demo,
 * whose keys nobody knows: the next start removes it, and begins again.
 */

type Unfinished = Item & { account_ids: string[] };

const key = keys.tableFact('unfinished_demo');

/** Before the first account exists. */
export async function beginDemo(table: Table, account_ids: string[]): Promise<void> {
  const unfinished: Unfinished = { ...key, account_ids };
  await table.put(unfinished);
}

/** After everything is written. */
export async function finishDemo(table: Table): Promise<void> {
  await table.delete(key);
}

/** Before anything works on the table. */
export async function removeUnfinished({ table }: Services): Promise<void> {
  const unfinished = await table.get<Unfinished>(key);
  if (!unfinished) return;
  console.log('Removing the demo workspace of a start that was stopped while it filled it ...');
  await removeAccounts(table, unfinished.account_ids);
  await finishDemo(table);
}
