import type { Encounter, Encounters } from '#shared/domain/collaboration/records/interactions.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { findPage, firstOf, MAX_STEPS, type Page, pageSize } from '#shared/domain/platform/postings/page.ts';
import { narrowed } from '#shared/domain/platform/postings/plan.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { behind, isAhead, type Order, restFrom } from '#shared/domain/platform/postings/reader.ts';
import { MOMENT_LENGTH, timeRank } from '#shared/table/keys.ts';
import type { Paging } from './find.ts';
import { type Query, readMatching } from './matching.ts';
import { widened } from './others.ts';
import { planIn } from './plan.ts';
import { idsOf, momentIn, momentRank, rankOf, VALUED } from './ranks.ts';
import type { ListedItem } from './record-change.ts';
import { fewIn, selected } from './selected.ts';

/**
 * Pages of records in the order of the last mail or meeting with their people, as the caller sees these: no list of
 * records can have it (docs/decisions/0054). A record is read wherever one of its addresses comes in the order, and
 * belongs to the place of its last one. Those without one follow, by their creation.
 */

/** How records belong to addresses. */
export interface Met<R> {
  encounters: Encounters;
  /** All records that the addresses count for, hidden ones too. */
  idsOf(addresses: string[]): Promise<string[]>;
  /** By id: the last moment of each record, in milliseconds, for those with one. */
  lastOf(records: R[]): Promise<ReadonlyMap<string, number>>;
  /** Up to this many records are read whole and sorted. */
  whole?: number;
}

interface Asked<R extends ListedItem> extends Pick<Query<R>, 'index' | 'criteria' | 'order'> {
  met: Met<R>;
}

/** Characters of a moment in a rank. */

/** Ranks of records without a moment, in front of their place by creation. */
const WITHOUT = '0';

/** Addresses of the first step; where few count, the next step reads more. */
const FIRST = 60;
const AT_ONCE = 150;
/** Addresses of one page at most; then a short page with a cursor is returned. */
const MAX_ADDRESSES = 2_000;

const rankedBy =
  <R extends ListedItem>(last: ReadonlyMap<string, number>) =>
  (record: R) => {
    const moment = last.get(record.id);
    return moment === undefined
      ? `${WITHOUT}${momentRank(record.created_at)}#${record.id}`
      : rankOf(timeRank(moment), record.id);
  };

/** A record in its place. */
interface Placed<R> {
  record: R;
  rank: string;
}

function placed<R extends ListedItem>(records: R[], last: ReadonlyMap<string, number>, order: Order) {
  const rank = rankedBy<R>(last);
  const all = records.map((record): Placed<R> => ({ record, rank: rank(record) }));
  return all.sort((a, b) => {
    // Those without a moment are last in both directions.
    const isValued = [a, b].map((each) => each.rank > VALUED);
    if (isValued[0] !== isValued[1]) return isValued[0] ? -1 : 1;
    return isAhead[order](a.rank, b.rank) ? -1 : 1;
  });
}

/** The moment where a page begins: a bound without an id is behind all of its moment. */
function beginningOf(after: string, order: Order): number {
  const at = momentIn(after);
  if (after[VALUED.length + MOMENT_LENGTH] === '#') return at;
  return order === 'desc' ? at - 1 : at + 1;
}

const isTail = (bound: string) => bound <= VALUED;

/** Whether a place is behind the bound where a page begins. */
function isBehind(rank: string, after: string | undefined, order: Order): boolean {
  if (after === undefined) return true;
  if (isTail(after) !== isTail(rank)) return isTail(rank);
  return order === 'desc' ? rank < after : rank >= after;
}

function pageOf<R>(
  places: Placed<R>[],
  { limit, next, order }: { limit: number; next: string | null; order: Order },
): Page<R> {
  const ranks = new Map(places.map(({ record, rank }) => [record, rank]));
  const rows = places.map(({ record }) => record);
  return firstOf({ rows, next }, { limit, order, rankOf: (record) => ranks.get(record) ?? '' });
}

/** In steps that end between two moments, so that what belongs to one moment is sorted together. */
async function* stepsOf(encounters: AsyncIterable<Encounter>): AsyncGenerator<Encounter[]> {
  let step: Encounter[] = [];
  let size = FIRST;
  for await (const encounter of encounters) {
    if (step.length >= size && step.at(-1)?.at !== encounter.at) {
      yield step;
      step = [];
      size = AT_ONCE;
    }
    step.push(encounter);
  }
  if (step.length > 0) yield step;
}

/** The records whose last moment is within a step. */
async function readStep<R extends ListedItem>(
  ctx: CallerContext,
  { met, order, ...query }: Asked<R>,
  step: Encounter[],
): Promise<Placed<R>[]> {
  const addresses = [...new Set(step.map(({ email_address }) => email_address))];
  const [ids] = await Promise.all([met.idsOf(addresses), met.encounters.lastWith(addresses)]);
  const records = await readMatching(ctx, query, ids);
  const last = await met.lastOf(records);
  const moments = new Set(step.map(({ at }) => at));
  return placed(
    records.filter(({ id }) => moments.has(last.get(id) ?? Number.NaN)),
    last,
    order,
  );
}

/** Those with a moment; `next` is null when all are read. */
async function findMet<R extends ListedItem>(
  ctx: CallerContext,
  asked: Asked<R>,
  { limit, after }: Paging,
): Promise<Page<R>> {
  const { order, met } = asked;
  const from = after === undefined ? undefined : beginningOf(after, order);
  const rows: Placed<R>[] = [];
  let read = 0;
  for await (const step of stepsOf(met.encounters.inOrder(order, from))) {
    rows.push(...(await readStep(ctx, asked, step)).filter(({ rank }) => isBehind(rank, after, order)));
    read += step.length;
    if (rows.length <= limit && read < MAX_ADDRESSES) continue;
    const bound = `${VALUED}${timeRank((step.at(-1) as Encounter).at)}`;
    return pageOf(rows, { limit, order, next: order === 'desc' ? bound : behind.asc(bound) });
  }
  return pageOf(rows, { limit, order, next: null });
}

/** The list of all, by creation. */
function listOfAll<R extends ListedItem>(
  ctx: CallerContext,
  { order, ...query }: Asked<R>,
  { limit, after }: Paging,
): Conjunction<Posting> {
  const { clauses } = planIn(ctx, query.index, query.criteria, 'created_at');
  const rest = narrowed(
    clauses,
    after === undefined || after === VALUED ? {} : restFrom[order](`${VALUED}${after.slice(WITHOUT.length)}`),
  );
  return new Conjunction(ctx.table, rest, {
    page_size: pageSize(rest, limit),
    max_steps: MAX_STEPS,
    order,
  });
}

/** Those without; `isMet` tells the others, when they are known. */
async function findOthers<R extends ListedItem>(
  ctx: CallerContext,
  { met, order, ...query }: Asked<R>,
  { limit, all, isMet }: { limit: number; all: Conjunction<Posting>; isMet?: (id: string) => boolean },
): Promise<Page<R>> {
  const { rows, next } = await findPage(all, {
    limit,
    order,
    async rowsOf(postings) {
      const records = await readMatching(ctx, query, idsOf(postings));
      if (isMet) return records.filter(({ id }) => !isMet(id));
      const last = await met.lastOf(records);
      return records.filter(({ id }) => !last.has(id));
    },
    rankOf: ({ id, created_at }) => rankOf(momentRank(created_at), id),
  });
  return { rows, next: next === null ? null : `${WITHOUT}${next.slice(VALUED.length)}` };
}

/** Those with a moment, then those without: a first page that reads all of the former knows who the others are. */
async function findBoth<R extends ListedItem>(
  ctx: CallerContext,
  asked: Asked<R>,
  { limit, after }: Paging,
): Promise<Page<R>> {
  const { order } = asked;
  const all = listOfAll(ctx, asked, { limit, after: VALUED });
  const isFirst = after === undefined;
  const [page] = await Promise.all([
    findMet(ctx, asked, { limit, after }),
    isFirst ? all.readAhead() : undefined,
  ]);
  if (page.next !== null) return page;
  const ids = new Set(page.rows.map(({ id }) => id));
  const known = isFirst ? { isMet: (id: string) => ids.has(id) } : {};
  const rest = await findOthers(ctx, asked, { limit, all, ...known });
  const left = limit - page.rows.length;
  if (left === 0)
    return { rows: page.rows, next: rest.rows.length > 0 || rest.next !== null ? VALUED : null };
  const { rows, next } = firstOf(rest, { limit: left, order, rankOf: rankedBy<R>(new Map()) });
  return { rows: [...page.rows, ...rows], next };
}

export async function findByEncounter<R extends ListedItem>(
  ctx: CallerContext,
  { criteria, ...others }: Asked<R>,
  { limit, after }: Paging,
): Promise<Page<R>> {
  const asked = { ...others, criteria: await widened(criteria) };
  const { order, met } = asked;
  const few =
    (await selected(ctx, asked)) ??
    (met.whole === undefined ? undefined : await fewIn(ctx, asked, 'created_at', met.whole));
  if (few) {
    const records = await readMatching(ctx, asked, few);
    const all = placed(records, await met.lastOf(records), order);
    const rest = all.filter(({ rank }) => isBehind(rank, after, order));
    return pageOf(rest, { limit, order, next: null });
  }
  if (after !== undefined && isTail(after))
    return findOthers(ctx, asked, { limit, all: listOfAll(ctx, asked, { limit, after }) });
  return findBoth(ctx, asked, { limit, after });
}
