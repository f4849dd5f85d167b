import { keys } from '#shared/table/keys.ts';
import { type Item, present, type Table, update, type Write } from '#shared/table/table.ts';
import type { Account } from './account.ts';

/** What is known of closed accounts, and for how long they are kept (docs/decisions/0069-closing-accounts.md). */

const DAY = 86_400_000;
export const DAYS_KEPT = 30;

/** An account that waits for the end of its data. */
export type ClosedAccount = Item & {
  account_id: string;
  closed_at: string;
  /** Milliseconds. */
  erase_at: number;
  /** Until whoever takes the money knows: what names the account there must not be erased before. */
  paying?: true;
};

/** The first midnight, UTC, after 30 days: accounts of one day are erased by one reading of the table. */
export const eraseMoment = (closed_at: string): number =>
  Math.ceil((Date.parse(closed_at) + DAYS_KEPT * DAY) / DAY) * DAY;

export const closedKey = ({ id, closed_at = '' }: Pick<Account, 'id' | 'closed_at'>) =>
  keys.closedAccount(eraseMoment(closed_at), id);

/** Who closed first is first. */
export function listClosed(table: Table): Promise<ClosedAccount[]> {
  return table.all<ClosedAccount>(keys.closedAccount(0, '').PK);
}

/** For background work: in a closed account nothing goes on. */
export async function isActive(table: Table, account_id: string): Promise<boolean> {
  const account = await table.get<Account>(keys.account(account_id));
  return account?.status === 'active';
}

/** Lets the account be erased, once its time has come. */
export const paidNoMore = (account: Pick<Account, 'id' | 'closed_at'>): Write =>
  update<ClosedAccount>(closedKey(account), { remove: ['paying'], when: { PK: present } });
