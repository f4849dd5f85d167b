import type { Interactions, KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { lastMailWith } from '#shared/domain/mail/last-mail/read.ts';
import { countThreads } from './lists/count.ts';
import { withParticipant } from './lists/criteria.ts';
import { addressPages, inSpace } from './lists/owners.ts';
import { planOf } from './lists/plan.ts';
import { lastSharedMail } from './lists/shared.ts';

/** A person, or a space, may have any number of threads, and each is read to count it. */
const MOST = 1_000;

/** The threads with one of these addresses, and when the newest message with one was sent. */
export async function mailWith(
  ctx: CallerContext,
  addresses: string[],
): Promise<Pick<Interactions, 'thread_count'> & { last_at: string | null }> {
  if (addresses.length === 0) return { thread_count: 0, last_at: null };
  const [{ total }, own, shared] = await Promise.all([
    countThreads(ctx, planOf([withParticipant(addresses)]), MOST),
    lastMailWith(ctx, addresses),
    lastSharedMail(ctx, { addresses }),
  ]);
  const moments = addresses.flatMap((address) => [own.get(address) ?? [], shared.get(address) ?? []].flat());
  return {
    thread_count: total,
    last_at: moments.length > 0 ? new Date(Math.max(...moments)).toISOString() : null,
  };
}

/** The addresses of the people of an organization that the caller sees; undefined for more than `most`. */
export async function addressesOfOrganization(
  ctx: CallerContext,
  id: string,
  most: number,
): Promise<string[] | undefined> {
  const found = new Set<string>();
  for await (const page of addressPages(ctx, 'organizations', id)) {
    for (const address of page) found.add(address);
    if (found.size > most) return undefined;
  }
  return [...found];
}

export const countThreadsOf: KnowsInteractions['countThreadsOf'] = async (ctx, space_id) => {
  const tags = tagDictionary(ctx.table, ctx.caller.account.id);
  return (await countThreads(ctx, planOf([await inSpace(ctx, space_id, tags)]), MOST)).total;
};
