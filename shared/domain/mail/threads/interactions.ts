import type { Interactions, KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { countThreads } from './lists/count.ts';
import { withParticipant } from './lists/criteria.ts';
import { findThreads } from './lists/find.ts';
import { addressesIn, inSpace } from './lists/owners.ts';
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
  const [{ total }, last_interaction_at] = await Promise.all([
    countThreads(ctx, plan, MOST),
    lastOf(ctx, plan),
  ]);
  return { thread_count: total, last_interaction_at };
}

async function lastOf(ctx: CallerContext, plan: ReturnType<typeof planOf>): Promise<string | null> {
  const { rows } = await findThreads(ctx, plan, { after: undefined, limit: 1 });
  return rows[0]?.entry.last_sent_at ?? null;
}

/** When the newest message of the threads with one of these addresses was sent. */
export const lastMailWith = async (ctx: CallerContext, addresses: string[]): Promise<string | null> =>
  addresses.length === 0 ? null : lastOf(ctx, planOf([withParticipant(addresses)]));

/** The addresses of the people of an organization that the caller sees. */
export const addressesOfOrganization = async (ctx: CallerContext, id: string): Promise<string[]> => [
  ...new Set(await addressesIn(ctx, 'organizations', id)),
];

export const countThreadsOf: KnowsInteractions['countThreadsOf'] = async (ctx, space_id) => {
  const tags = tagDictionary(ctx.table, ctx.caller.account.id);
  return (await countThreads(ctx, planOf([await inSpace(ctx, space_id, tags)]), MOST)).total;
};
