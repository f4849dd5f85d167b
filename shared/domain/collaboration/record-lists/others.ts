import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { behind, isAhead, restFrom } from '#shared/domain/platform/postings/reader.ts';
import type { Criterion, Others } from './criteria.ts';
import { type Query, readMatching } from './matching.ts';
import { BY_NAME, namedOrders } from './orders.ts';
import { rankOf } from './ranks.ts';
import { type Paging, type PlacedPage, rankIn } from './sorted.ts';

/** Records that match although the lists do not say so (`others` of a criterion), without those that the lists have. */

type Asked<R extends GuardedItem> = Pick<Query<R>, 'index' | 'criteria' | 'seesLink'>;

/** The criteria of the others alone. */
function missing<R extends GuardedItem, Q extends Asked<R>>(query: Q, wider: Criterion<R>): Q {
  const missed = { keeps: (record: R) => !wider.keeps(record) };
  return { ...query, criteria: query.criteria.map((each) => (each === wider ? missed : each)) };
}

const widerOf = <R extends GuardedItem>({ criteria }: Pick<Query<R>, 'criteria'>) =>
  criteria.find(({ others }) => others);

export const hasOthers = <R extends GuardedItem>(query: Pick<Query<R>, 'criteria'>): boolean =>
  widerOf(query) !== undefined;

/** What was guessed is read beside the ids that are sure. */
export async function readAll<R extends GuardedItem>(
  ctx: CallerContext,
  query: Asked<R>,
  { ids, expect, sure }: Others,
): Promise<R[]> {
  expect?.(ids);
  const [rows, all] = await Promise.all([readMatching(ctx, query, ids), sure ?? ids]);
  const known = new Set(all);
  const guessed = new Set(ids);
  const further = all.filter((id) => !guessed.has(id));
  return [...rows.filter(({ id }) => known.has(id)), ...(await readMatching(ctx, query, further))];
}

export async function readOthers<R extends GuardedItem>(ctx: CallerContext, query: Asked<R>): Promise<R[]> {
  const wider = widerOf(query);
  return wider?.others ? readAll(ctx, missing(query, wider), await wider.others()) : [];
}

/** The ids in the order of the query, with their ranks, from the beginning of the page on. */
function inOrder<R extends GuardedItem>(
  { order }: Pick<Query<R>, 'order'>,
  names: ReadonlyMap<string, string>,
  after: string | undefined,
) {
  const { from = '', before = '~' } = after === undefined ? {} : restFrom[order](after);
  return [...names]
    .map(([id, name]) => ({ id, rank: rankOf(namedOrders.name({ name }), id) }))
    .filter(({ rank }) => rank >= from && rank < before)
    .sort((a, b) => (isAhead[order](a.rank, b.rank) ? -1 : 1));
}

/** Those of a page and more, each time with all before: all at once, or in the order of names where names are known. */
export async function* pagesOfOthers<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  { limit, after }: Paging,
): AsyncGenerator<PlacedPage<R>, undefined> {
  const wider = widerOf(query);
  if (!wider?.others) return;
  const others = await wider.others();
  const asked = missing(query, wider);
  const { names, expect } = others;
  if (!names || query.sort !== BY_NAME) {
    yield { rows: await readAll(ctx, asked, others), next: null, rankOf: rankIn(query) };
    return;
  }
  const all = inOrder(query, names, after);
  const ranks = new Map(all.map(({ id, rank }) => [id, rank]));
  const rankOf = ({ id }: R) => ranks.get(id) as string;
  const rows: R[] = [];
  let wanted = limit + 1;
  for (let at = 0; at < all.length; ) {
    const ids = all.slice(at, at + wanted).map(({ id }) => id);
    expect?.(ids);
    rows.push(...(await readMatching(ctx, asked, ids)));
    at += wanted;
    wanted *= 2;
    const last = at < all.length ? all[at - 1] : undefined;
    yield { rows, next: last ? behind[query.order](last.rank) : null, rankOf };
  }
}

export const othersOf = async <R extends GuardedItem>({ others }: Criterion<R>): Promise<string[]> => {
  const found = await others?.();
  return (await found?.sure) ?? found?.ids ?? [];
};

/** The criteria, with a check that keeps those records too. Their ids are read once. */
export async function widened<R extends GuardedItem>(criteria: Criterion<R>[]): Promise<Criterion<R>[]> {
  return Promise.all(
    criteria.map(async (criterion) => {
      if (!criterion.others) return criterion;
      const ids = new Set(await othersOf(criterion));
      return {
        ...criterion,
        others: async () => ({ ids: [...ids] }),
        keeps: (record: R) => criterion.keeps(record) || ids.has(record.id),
      };
    }),
  );
}
