import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import type { Uuid } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';

/**
 * When mail was last sent from or to an address, by the mailboxes that have the mail: a maximum, which no order,
 * repetition or interruption of messages changes (docs/decisions/0054).
 */
export type LastMail = Item & {
  email_address: string;
  /** Milliseconds, by mailbox. */
  [mailbox_id: Uuid]: number;
};

/** An address in the list of a mailbox. One that has moved on since is stale: the item decides. */
export type LastMailPosting = Posting & { email_address: string };

export const postingOf = (mailbox_id: string, moment: number, email_address: string): LastMailPosting => ({
  ...keys.lastMailPosting(mailbox_id, moment, email_address),
  email_address,
});

/** By address, for those that had mail. */
export async function readLastMail(
  table: Table,
  account_id: string,
  addresses: Iterable<string>,
  options: { consistent: boolean } = { consistent: true },
): Promise<Map<string, LastMail>> {
  const wanted = [...addresses].map((address) => keys.lastMail(account_id, address));
  const items = await table.getMany<LastMail>(wanted, options);
  return new Map(items.map((item) => [item.email_address, item]));
}

export const momentIn = (item: LastMail | undefined, mailbox_id: string): number | undefined =>
  item?.[mailbox_id as Uuid];
