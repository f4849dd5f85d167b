import { begun } from '#shared/begun.ts';
import type { Encounter, Encounters } from '#shared/domain/collaboration/records/interactions.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { findPage, firstOf, MAX_STEPS, type Page, pageSize } from '#shared/domain/platform/postings/page.ts';
import { narrowed } from '#shared/domain/platform/postings/plan.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { behind, type Order, restFrom } from '#shared/domain/platform/postings/reader.ts';
import { timeRank } from '#shared/table/keys.ts';
import type { Others } from './criteria.ts';
import type { ListedItem } from './listed-item.ts';
import type { Query } from './matching.ts';
import { readAll, widened } from './others.ts';
import { beginningOf, isBehind, isTail, type Placed, pageOf, placed, rankedBy, WITHOUT } from './places.ts';
import { planIn } from './plan.ts';
import { idsOf, momentRank, rankOf, VALUED } from './ranks.ts';
import { fewIn, selected } from './selected.ts';
import type { Paging } from './sorted.ts';

/**
 * Pages of records in the order of the last mail or meeting with their people, as the caller sees these: no list of
 * records can have it (docs/decisions/0054). A record is read wherever one of its addresses comes in the order, and
 * belongs to the place of its last one. Those without one follow, by their creation.
 */

/** How records belong to addresses. */
export interface Met<R> {
  encounters: Encounters;
  /** All records that the addresses count for. */
  recordsOf(addresses: string[]): Promise<Others>;
  /** Addresses of the first step. */
  first: number;
  /** How many of these suffice for so many records, as far as it is known before they are read. */
  enough?(addresses: string[], wanted: number): Promise<number>;
  /**
   * By id: the last moment of each record, in milliseconds, for those with one. `seen`: the order was read from the newest on,
   * so that an address that did not come has no later moment than those that did.
   */
  lastOf(records: R[], order: { seen: boolean }): Promise<ReadonlyMap<string, number>>;
  /** Begins to read what `lastOf` needs of these, where that is known before they are read. */
  expectLast?(ids: string[]): void;
  /** Up to this many records are read whole and sorted. */
  whole?: number;
}

interface Asked<R extends ListedItem> extends Pick<Query<R>, 'index' | 'criteria' | 'order' | 'expect'> {
  met: Met<R>;
}

/** Addresses of further steps. */
const AT_ONCE = 150;
/** Addresses of one page at most; then a short page with a cursor is returned. */
const MAX_ADDRESSES = 2_000;

interface Step {
  encounters: Encounter[];
  /** All are read. */
  last: boolean;
}

type Steps = Pick<Met<never>, 'first' | 'enough'> & { wanted: number };

/** Where a step ends: at its end, or after as many as suffice and those of the same moment. */
async function endOf(step: Encounter[], { enough, wanted }: Steps): Promise<number> {
  const addresses = step.map(({ email_address }) => email_address);
  const most = (await enough?.(addresses, wanted)) ?? step.length;
  const last = step[most - 1]?.at;
  return step.findLastIndex(({ at }) => at === last) + 1;
}

/** In steps that end between two moments, so that what belongs to one moment is sorted together. */
async function* stepsOf(encounters: AsyncIterable<Encounter>, steps: Steps): AsyncGenerator<Step> {
  let step: Encounter[] = [];
  let size = steps.first;
  for await (const encounter of encounters) {
    if (step.length >= size && step.at(-1)?.at !== encounter.at) {
      const end = await endOf(step, steps);
      yield { encounters: step.slice(0, end), last: false };
      step = step.slice(end);
      size = AT_ONCE;
    }
    step.push(encounter);
  }
  if (step.length > 0) yield { encounters: step, last: true };
}

async function readRecords<R extends ListedItem>(
  ctx: CallerContext,
  query: Pick<Asked<R>, 'index' | 'criteria' | 'expect'>,
  wanted: Others,
): Promise<R[]> {
  const records = await readAll(ctx, query, wanted);
  query.expect?.(records);
  return records;
}

/** The order, which is being read. */
interface Begun {
  begun: AsyncGenerator<Encounter>;
}

/** The order from the beginning of the page on, whose first part is read at once. */
function beginningWith<R>({ encounters, first }: Met<R>, order: Order, after: string | undefined) {
  const from = after === undefined ? undefined : beginningOf(after, order);
  const found = encounters.inOrder(order, from, first);
  const next = begun(found.next());
  return (async function* () {
    for (let each = await next; !each.done; each = await found.next()) yield each.value;
  })();
}

/** The records whose last moment is within a step. */
async function readStep<R extends ListedItem>(
  ctx: CallerContext,
  { order, ...query }: Asked<R>,
  step: Encounter[],
  after: string | undefined,
): Promise<Placed<R>[]> {
  const { met } = query;
  const addresses = [...new Set(step.map(({ email_address }) => email_address))];
  const [records] = await Promise.all([
    met.recordsOf(addresses).then((found) => readRecords(ctx, query, found)),
    met.encounters.lastWith(addresses),
  ]);
  const last = await met.lastOf(records, { seen: order === 'desc' && after === undefined });
  const moments = new Set(step.map(({ at }) => at));
  return placed(
    records.filter(({ id }) => moments.has(last.get(id) ?? Number.NaN)),
    last,
    order,
  );
}

/** Those with a moment; `next` is null when all are read. `isShort` is called when it is known that they do not fill the page. */
async function findMet<R extends ListedItem>(
  ctx: CallerContext,
  asked: Asked<R>,
  { limit, after, isShort, begun }: Paging & Begun & { isShort?: () => void },
): Promise<Page<R>> {
  const { order, met } = asked;
  const steps = { ...met, wanted: limit + 1 };
  const rows: Placed<R>[] = [];
  let read = 0;
  for await (const { encounters, last } of stepsOf(begun, steps)) {
    read += encounters.length;
    if (last && read <= limit) isShort?.();
    const found = await readStep(ctx, asked, encounters, after);
    rows.push(...found.filter(({ rank }) => isBehind(rank, after, order)));
    if (rows.length <= limit && read < MAX_ADDRESSES) continue;
    const bound = `${VALUED}${timeRank((encounters.at(-1) as Encounter).at)}`;
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

interface Rest {
  limit: number;
  all: Conjunction<Posting>;
  /** The page of all those with a moment, when it has been asked for. */
  met?: Promise<Page<{ id: string }>>;
}

/** Those without a moment. */
async function findOthers<R extends ListedItem>(
  ctx: CallerContext,
  { order, ...query }: Asked<R>,
  { limit, all, met }: Rest,
): Promise<Page<R>> {
  const { rows, next } = await findPage(all, {
    limit,
    order,
    async rowsOf(postings) {
      const records = await readRecords(ctx, query, { ids: idsOf(postings) });
      const known = met
        ? new Set((await met).rows.map(({ id }) => id))
        : await query.met.lastOf(records, { seen: false });
      return records.filter(({ id }) => !known.has(id));
    },
    rankOf: ({ id, created_at }) => rankOf(momentRank(created_at), id),
  });
  return { rows, next: next === null ? null : `${WITHOUT}${next.slice(VALUED.length)}` };
}

/** Those with a moment, then those without: a first page that reads all of the former knows who the others are. */
async function findBoth<R extends ListedItem>(
  ctx: CallerContext,
  asked: Asked<R>,
  { limit, after, begun: encounters }: Paging & Begun,
): Promise<Page<R>> {
  const { order } = asked;
  const all = listOfAll(ctx, asked, { limit, after: VALUED });
  const ahead = after === undefined ? all.readAhead() : undefined;
  let others: Promise<Page<R>> | undefined;
  const findRest = async () => {
    await ahead;
    return findOthers(ctx, asked, { limit, all, ...(ahead ? { met } : {}) });
  };
  const isShort = () => {
    // It fails as well when those with a moment do, who are awaited first.
    others = begun(findRest());
  };
  const met = findMet(ctx, asked, { limit, after, begun: encounters, ...(ahead ? { isShort } : {}) });
  const [page] = await Promise.all([met, ahead]);
  if (page.next !== null) return page;
  const rest = await (others ?? findRest());
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
  const isLast = after !== undefined && isTail(after);
  const found = isLast ? undefined : beginningWith(met, order, after);
  const few =
    (await selected(ctx, asked)) ??
    (met.whole === undefined ? undefined : await fewIn(ctx, asked, 'created_at', met.whole));
  if (few) {
    met.expectLast?.(few);
    const records = await readRecords(ctx, asked, { ids: few });
    const all = placed(records, await met.lastOf(records, { seen: false }), order);
    const rest = all.filter(({ rank }) => isBehind(rank, after, order));
    return pageOf(rest, { limit, order, next: null });
  }
  if (!found) return findOthers(ctx, asked, { limit, all: listOfAll(ctx, asked, { limit, after }) });
  return findBoth(ctx, asked, { limit, after, begun: found });
}
