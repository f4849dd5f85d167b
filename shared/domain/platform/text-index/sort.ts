import { mapAtOnce } from '#shared/at-once.ts';
import type { Context } from '#shared/context.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { missing, type Table, when } from '#shared/table/table.ts';
import { tryDelete } from '#shared/table/try-delete.ts';
import { merged } from './merge.ts';
import { forgetGone, forgetStale } from './remove.ts';
import { sorted } from './segment.ts';
import {
  allDocs,
  allPostings,
  findState,
  type IndexState,
  type LogItem,
  removeSegment,
  type SegmentInfo,
  type StaleItem,
  type StoredDoc,
  someOfLog,
  writeSegment,
} from './store.ts';

/**
 * Sorts the log of an index into a segment, and segments of one size into a larger one, as log-structured merge trees do: a
 * document is written again as often as segments grow eightfold. One worker at a time; killed anywhere, it begins again.
 */

type Ctx = Pick<Context, 'table' | 'clock'>;

/** Log items that are deleted together, each by itself. */
const AT_ONCE = 16;
/** Documents of the log that are worth a segment; 1 MB of them is as well. */
const ENOUGH = 64;
/** Documents that are sorted at once. */
const MOST = 1_000;
/** Segments of a size that become one. */
const FAN = 8;
/** Documents of a segment: as many as a worker merges within its time. */
const LARGEST = 250_000;
/** Milliseconds for which a search may read the segments that it found. */
const PATIENCE = 60_000;

const empty = (owner: string): IndexState => ({
  ...keys.textIndex(owner),
  ...{ segments: [], retired: [], sorted: [], revision: 0 },
});

async function save({ table }: Ctx, before: IndexState, changes: Partial<IndexState>): Promise<IndexState> {
  const after = { ...before, ...changes, revision: before.revision + 1 };
  const { revision } = before;
  await table.put(after, revision === 0 ? when({ PK: missing }) : when<IndexState>({ revision }));
  return after;
}

function finish(
  ctx: Ctx,
  { making: _, ...state }: IndexState,
  changes: Partial<IndexState>,
): Promise<IndexState> {
  return save(ctx, state as IndexState, changes);
}

/** Leaves what was replaced since it was sorted. */
async function forgetSorted(table: Table, owner: string, sorted: IndexState['sorted']): Promise<void> {
  const { PK } = keys.textIndex(owner);
  const names = sorted.filter((each) => typeof each === 'string');
  await table.writeMany(names.map((SK) => ({ delete: { PK, SK } })));
  const versions = sorted.filter((each) => typeof each !== 'string');
  await mapAtOnce(versions, AT_ONCE, async ({ SK, version }) => {
    await tryDelete(table, { PK, SK }, when<LogItem>({ version }));
  });
}

/** What an earlier step left behind. */
async function tidy(ctx: Ctx, owner: string, state: IndexState): Promise<IndexState> {
  const { table } = ctx;
  const now = ctx.clock().getTime();
  const over = state.retired.filter(({ until }) => until <= now).map(({ id }) => id);
  const left = [...over, ...(state.making === undefined ? [] : [state.making])];
  if (state.sorted.length === 0 && left.length === 0) return state;
  await forgetSorted(table, owner, state.sorted);
  for (const id of left) await removeSegment(table, owner, id);
  return finish(ctx, state, { sorted: [], retired: state.retired.filter(({ until }) => until > now) });
}

/** Of no other segment, made or given up: each is named by a state before it is written. */
const nextSegment = ({ PK, revision }: IndexState): string => idFrom('segment', PK, String(revision));

const extentOf = ({ clock }: Ctx, docs: StoredDoc[]) => ({
  made: clock().getTime(),
  docs: docs.length,
  newest: docs[0]?.moment ?? Number.NEGATIVE_INFINITY,
});

async function sortLog(ctx: Ctx, owner: string, state: IndexState, enough: number): Promise<IndexState> {
  const { log, isWhole } = await someOfLog(ctx.table, owner, MOST);
  if (log.length === 0 || (isWhole && log.length < enough)) return state;
  const entries = log.map(({ id, moment, ref, words }) => ({
    doc: { id, moment, ref },
    words: words.split(' '),
  }));
  const made = sorted(entries);
  const id = nextSegment(state);
  const begun = await save(ctx, state, { making: id });
  const replaced = log.flatMap((item) => (item.replaces ? [item.id] : []));
  if (replaced.length > 0)
    await ctx.table.put({ ...keys.textStale(owner, id), ids: replaced } satisfies StaleItem);
  await writeSegment(ctx.table, owner, id, made);
  const info: SegmentInfo = { id, level: 0, ...extentOf(ctx, made.docs) };
  return finish(ctx, begun, {
    segments: [...state.segments, info],
    stale: (state.stale ?? 0) + replaced.length,
    sorted: log.map(({ SK, version }) => (version === undefined ? SK : { SK, version })),
  });
}

/** The segments that become one next; none while no size has enough of them. */
export function mergeable(segments: readonly SegmentInfo[]): SegmentInfo[] {
  const byLevel = Map.groupBy(segments, ({ level }) => level);
  const levels = [...byLevel.keys()].sort((a, b) => a - b);
  const some = levels.map((level) => byLevel.get(level) ?? []);
  return (
    some.find((all) => all.length >= FAN && all.reduce((sum, { docs }) => sum + docs, 0) <= LARGEST) ?? []
  );
}

async function merge(ctx: Ctx, owner: string, state: IndexState, some: SegmentInfo[]): Promise<IndexState> {
  const { table } = ctx;
  const parts = await Promise.all(
    some.map(async ({ id }) => ({
      docs: await allDocs(table, owner, id),
      postings: allPostings(table, owner, id),
    })),
  );
  const made = await merged(parts);
  const id = nextSegment(state);
  const begun = await save(ctx, state, { making: id });
  await writeSegment(table, owner, id, made);
  const level = (some[0] as SegmentInfo).level + 1;
  const until = ctx.clock().getTime() + PATIENCE;
  return finish(ctx, begun, {
    segments: [
      ...state.segments.filter((each) => !some.includes(each)),
      { id, level, ...extentOf(ctx, made.docs) },
    ],
    retired: [...state.retired, ...some.map((each) => ({ id: each.id, until }))],
  });
}

/** Whether so many documents have earlier states that it is worth to read all for them: one in a hundred. */
const isStale = ({ stale = 0, segments }: IndexState): boolean =>
  stale >= Math.max(ENOUGH, segments.reduce((sum, { docs }) => sum + docs, 0) / 100);

/** True when all is sorted; false when the time was up. */
export async function sortIndex(
  ctx: Ctx,
  owner: string,
  { timeIsUp, enough = ENOUGH }: { timeIsUp: () => boolean; enough?: number },
): Promise<boolean> {
  let state = (await findState(ctx.table, owner)) ?? empty(owner);
  state = await tidy(ctx, owner, state);
  // Before the log is sorted: what came back is there.
  await forgetGone(ctx.table, owner, state);
  for (let before = -1; before < state.segments.length; ) {
    if (timeIsUp()) return false;
    before = state.segments.length;
    state = await tidy(ctx, owner, await sortLog(ctx, owner, state, enough));
  }
  if (isStale(state)) {
    await forgetStale(ctx.table, owner, state);
    state = await save(ctx, state, { stale: 0 });
  }
  for (let some = mergeable(state.segments); some.length > 0; some = mergeable(state.segments)) {
    if (timeIsUp()) return false;
    state = await merge(ctx, owner, state, some);
  }
  return true;
}
