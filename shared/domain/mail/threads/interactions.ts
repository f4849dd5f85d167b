import type { Interactions, KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { countThreads } from './lists/count.ts';
import { withParticipant } from './lists/criteria.ts';
import { findThreads } from './lists/find.ts';
import { inSpace } from './lists/owners.ts';
import { planOf } from './lists/plan.ts';

/** A person, or a space, may have any number of threads, and each is read to count it. */
const MOST = 1_000;

/** The threads with one of these addresses. */
export async function mailWith(
  ctx: CallerContext,
  addresses: string[],
): Promise<Pick<Interactions, 'thread_count' | 'last_interaction_at'>> {
  if (addresses.length === 0) return { thread_count: 0, last_interaction_at: null };
  const plan = planOf([withParticipant(addresses)]);
  const [{ total }, { rows }] = await Promise.all([
    countThreads(ctx, plan, MOST),
    findThreads(ctx, plan, { after: undefined, limit: 1 }),
  ]);
  return { thread_count: total, last_interaction_at: rows[0]?.entry.last_sent_at ?? null };
}

export const countThreadsOf: KnowsInteractions['countThreadsOf'] = async (ctx, space_id) => {
  const tags = tagDictionary(ctx.table, ctx.caller.account.id);
  return (await countThreads(ctx, planOf([await inSpace(ctx, space_id, tags)]), MOST)).total;
};
