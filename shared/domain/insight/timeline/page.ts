import type { Shown, TimelineRecord } from './entry.ts';
import { Merge, type Merged } from './merge.ts';
import { compareMoments, type Moment, presentMoment } from './moment.ts';
import type { Source } from './source.ts';

/** Pages of a timeline, without what the caller does not see. */

/** Candidates that are checked for a page; where so many are not shown, the page is short. */
const MOST_CHECKED = 1_000;

/** Of these, in one step after the first. */
const FEWEST_AT_ONCE = 100;
const MOST_AT_ONCE = 400;

interface Row extends Moment {
  shown: Shown;
}

async function shownOf(batch: Merged[]): Promise<Row[]> {
  const bySource = Map.groupBy(batch, ({ source }) => source);
  const maps = await Promise.all(
    [...bySource].map(
      async ([source, of]) => [source, await source.show(of.map(({ candidate }) => candidate))] as const,
    ),
  );
  const shownBy = new Map(maps);
  return batch.flatMap(({ source, candidate: { id, at, tie } }) => {
    const shown = shownBy.get(source)?.get(id);
    return shown ? [{ at, tie, shown }] : [];
  });
}

/** As many as wanted, and all others of the last one's moment: `before` would skip them. */
function pageOf(rows: Row[], limit: number): Row[] {
  const last = rows[limit - 1];
  return last ? rows.filter((row) => compareMoments(row, last) <= 0) : rows;
}

export async function readPage(
  sources: Source[],
  { before, limit }: { before: Moment | undefined; limit: number },
): Promise<TimelineRecord> {
  const merge = new Merge(sources, before);
  const rows: Row[] = [];
  let checked: Moment | undefined;
  let left = MOST_CHECKED;
  let wanted = limit + 1;
  let ended = false;
  while (pageOf(rows, limit).length === rows.length && !ended && left > 0) {
    const batch = await merge.take(wanted);
    ended = batch.length < wanted;
    checked = batch.at(-1)?.candidate ?? checked;
    left -= batch.length;
    rows.push(...(await shownOf(batch)));
    // Where few are shown, the next step checks more.
    wanted = Math.min(MOST_AT_ONCE, Math.max(FEWEST_AT_ONCE, 2 * wanted));
  }
  const page = pageOf(rows, limit);
  const has_more = page.length < rows.length || !ended;
  const last = page.length < rows.length || ended || page.length >= limit ? page.at(-1) : checked;
  return {
    entries: page.map(({ shown, ...moment }) => ({ ...shown, occurred_at: presentMoment(moment) })),
    oldest_timestamp: last ? presentMoment(last) : null,
    has_more,
  };
}
