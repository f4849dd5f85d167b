import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Criterion } from './criteria.ts';
import { type Query, readMatching } from './matching.ts';

/** The records that match although the lists do not say so (`others` of a criterion), without those that the lists have. */
export async function readOthers<R extends GuardedItem>(
  ctx: CallerContext,
  query: Pick<Query<R>, 'index' | 'criteria' | 'seesLink'>,
): Promise<R[]> {
  const wider = query.criteria.find(({ others }) => others);
  if (!wider?.others) return [];
  const missed = { keeps: (record: R) => !wider.keeps(record) };
  const criteria = query.criteria.map((each) => (each === wider ? missed : each));
  return readMatching(ctx, { ...query, criteria }, await wider.others());
}

/** The criteria, with a check that keeps those records too. Their ids are read once. */
export async function widened<R extends GuardedItem>(criteria: Criterion<R>[]): Promise<Criterion<R>[]> {
  return Promise.all(
    criteria.map(async (criterion) => {
      if (!criterion.others) return criterion;
      const ids = new Set(await criterion.others());
      return {
        ...criterion,
        others: async () => [...ids],
        keeps: (record: R) => criterion.keeps(record) || ids.has(record.id),
      };
    }),
  );
}
