import { begun } from '#shared/begun.ts';
import type { Encounter, Encounters } from '#shared/domain/collaboration/records/interactions.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { findPage, firstOf, MAX_STEPS, type Page, pageSize } from '#shared/domain/platform/postings/page.ts';
import { narrowed } from '#shared/domain/platform/postings/plan.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { behind, restFrom } from '#shared/domain/platform/postings/reader.ts';
import { timeRank } from '#shared/table/keys.ts';
import type { Paging } from './find.ts';
import type { ListedItem } from './listed-item.ts';
import { type Query, readMatching } from './matching.ts';
import { widened } from './others.ts';
import { beginningOf, isBehind, isTail, type Placed, pageOf, placed, rankedBy, WITHOUT } from './places.ts';
import { planIn } from './plan.ts';
import { idsOf, momentRank, rankOf, VALUED } from './ranks.ts';
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
  /** Begins to read what the records show, if there is something. */
  expect?(records: R[]): void;
  /**
   * By id: the last moment of each record, in milliseconds, for those with one. `seen`: the order was read from the newest on,
   * so that an address that did not come has no later moment than those that did.
   */
  lastOf(records: R[], order: { seen: boolean }): Promise<ReadonlyMap<string, number>>;
  /** Up to this many records are read whole and sorted. */
  whole?: number;
}

interface Asked<R extends ListedItem> extends Pick<Query<R>, 'index' | 'criteria' | 'order'> {
  met: Met<R>;
}

/** Addresses of the first step; where few count, the next step reads more. */
const FIRST = 60;
const AT_ONCE = 150;
/** Addresses of one page at most; then a short page with a cursor is returned. */
const MAX_ADDRESSES = 2_000;

interface Step {
  encounters: Encounter[];
  /** All are read. */
  last: boolean;
}

/** In steps that end between two moments, so that what belongs to one moment is sorted together. */
async function* stepsOf(encounters: AsyncIterable<Encounter>): AsyncGenerator<Step> {
  let step: Encounter[] = [];
  let size = FIRST;
  for await (const encounter of encounters) {
    if (step.length >= size && step.at(-1)?.at !== encounter.at) {
      yield { encounters: step, last: false };
      step = [];
      size = AT_ONCE;
    }
    step.push(encounter);
  }
  if (step.length > 0) yield { encounters: step, last: true };
}

async function readRecords<R extends ListedItem>(
  ctx: CallerContext,
  { met, ...query }: Pick<Asked<R>, 'met' | 'index' | 'criteria'>,
  ids: string[],
): Promise<R[]> {
  const records = await readMatching(ctx, query, ids);
  met.expect?.(records);
  return records;
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
  const [ids] = await Promise.all([met.idsOf(addresses), met.encounters.lastWith(addresses)]);
  const records = await readRecords(ctx, query, ids);
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
  { limit, after, isShort }: Paging & { isShort?: () => void },
): Promise<Page<R>> {
  const { order, met } = asked;
  const from = after === undefined ? undefined : beginningOf(after, order);
  const rows: Placed<R>[] = [];
  let read = 0;
  for await (const { encounters, last } of stepsOf(met.encounters.inOrder(order, from))) {
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

interface Others {
  limit: number;
  all: Conjunction<Posting>;
  /** The page of all those with a moment, when it has been asked for. */
  met?: Promise<Page<{ id: string }>>;
}

/** Those without a moment. */
async function findOthers<R extends ListedItem>(
  ctx: CallerContext,
  { order, ...query }: Asked<R>,
  { limit, all, met }: Others,
): Promise<Page<R>> {
  const { rows, next } = await findPage(all, {
    limit,
    order,
    async rowsOf(postings) {
      const records = await readRecords(ctx, query, idsOf(postings));
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
  { limit, after }: Paging,
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
  const met = findMet(ctx, asked, { limit, after, ...(ahead ? { isShort } : {}) });
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
  const few =
    (await selected(ctx, asked)) ??
    (met.whole === undefined ? undefined : await fewIn(ctx, asked, 'created_at', met.whole));
  if (few) {
    const records = await readRecords(ctx, asked, few);
    const all = placed(records, await met.lastOf(records, { seen: false }), order);
    const rest = all.filter(({ rank }) => isBehind(rank, after, order));
    return pageOf(rest, { limit, order, next: null });
  }
  if (after !== undefined && isTail(after))
    return findOthers(ctx, asked, { limit, all: listOfAll(ctx, asked, { limit, after }) });
  return findBoth(ctx, asked, { limit, after });
}
