import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { pageSize } from '#shared/domain/platform/postings/page.ts';
import type { Bounds, Order } from '#shared/domain/platform/postings/reader.ts';
import { LAST_MAIL, rankedTime, timeRank } from '#shared/table/keys.ts';
import { type LastMailPosting, momentIn, readLastMail } from './stored.ts';

/** The last mail with people, in the mailboxes that the caller reads. Moments are in milliseconds. */

/** Addresses of the first step, for all since a moment. */
const MANY = 1_000;

/** The addresses of contacts in the order of time: each at its last moment, and perhaps at earlier ones; `first` are read at once. */
export async function* mailInOrder(
  { table, caller: { user } }: CallerContext,
  order: Order,
  bounds: Bounds,
  first: number,
): AsyncGenerator<{ email_address: string; at: number }> {
  const ranges = Object.keys(user.mailboxes).map((owner) => ({ owner, list: LAST_MAIL, ...bounds }));
  const reading = { page_size: pageSize([ranges], first), max_steps: Number.POSITIVE_INFINITY, order };
  const found = new Conjunction<LastMailPosting>(table, [ranges], reading);
  for (let next = await found.next(); next; next = await found.next())
    yield { email_address: next.email_address, at: rankedTime(next.SK.slice(0, next.SK.indexOf('#'))) };
}

/** Addresses that are read for one response: anybody can send any amount of mail. */
const MOST = 10_000;

/** The addresses of contacts with mail later than a moment. */
export async function mailSince(ctx: CallerContext, since: number): Promise<string[]> {
  const found = new Set<string>();
  for await (const { email_address } of mailInOrder(ctx, 'desc', { from: timeRank(since + 1) }, MANY)) {
    found.add(email_address);
    if (found.size === MOST) break;
  }
  return [...found];
}

/** By address, for those that had mail. */
export async function lastMailWith(
  { table, caller: { account, user } }: CallerContext,
  addresses: Iterable<string>,
): Promise<Map<string, number>> {
  const mailboxes = Object.keys(user.mailboxes);
  const last = new Map<string, number>();
  for (const [address, item] of await readLastMail(table, account.id, addresses)) {
    const moments = mailboxes.flatMap((id) => momentIn(item, id) ?? []);
    if (moments.length > 0) last.set(address, Math.max(...moments));
  }
  return last;
}

/** By address, the mailboxes of the account that had mail with it, whoever reads them. */
export async function mailboxesWith(
  { table, caller: { account } }: CallerContext,
  addresses: Iterable<string>,
): Promise<Map<string, string[]>> {
  const all = await readLastMail(table, account.id, addresses, { consistent: false });
  return new Map(
    [...all].map(([address, { PK, SK, email_address, ...moments }]) => [address, Object.keys(moments)]),
  );
}
