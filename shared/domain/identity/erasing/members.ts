import { mapAtOnce } from '#shared/at-once.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import type { Owned } from './partitions.ts';

const AT_ONCE = 10;

/** In the account's own partitions, what begins the keys of its members. */
const places = (account: string) => [
  keys.user(account, ''),
  keys.mailbox(account, ''),
  keys.group(account, ''),
  keys.stageDeals(account, '', ''),
];

/** The ids after the first part of a sort key. */
const idsIn = ({ SK }: Item): string[] => SK.split('#').slice(1);

async function membersOf(table: Table, account: string): Promise<string[]> {
  const found: string[] = [account];
  for (const { PK, SK } of places(account))
    for await (const page of table.pages(PK, SK.replace(/#+$/, '#'))) found.push(...page.flatMap(idsIn));
  return found;
}

/** The ids by which the items of the accounts are told from those of all others. */
export async function ownedBy(table: Table, account_ids: readonly string[]): Promise<Owned> {
  return new Set((await mapAtOnce(account_ids, AT_ONCE, (id) => membersOf(table, id))).flat());
}
