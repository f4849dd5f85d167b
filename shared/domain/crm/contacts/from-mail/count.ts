import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { above, at } from '#shared/table/table.ts';
import { addressesInMail, type Decision } from './decision.ts';

/** Queries, of 5,000 addresses in mail each, or of 1 MB. */
const QUERIES = 2;

/** The contacts that mail of the caller's mailboxes made, among the first addresses that the account met in mail. */
export function countMadeContacts({ table, caller: { account, user } }: CallerContext): Promise<number> {
  const { partition, sort } = addressesInMail(account.id);
  const filter = { contact_id: above(''), by: at('user_id', user.id) };
  return table.count<Decision>({ partition, sort, filter }, undefined, QUERIES);
}
