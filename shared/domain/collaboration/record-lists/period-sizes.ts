import { boundsOf, type Now, type PeriodList, periodOf, type Window } from './periods.ts';

/** Postings of the first read of each list of a window. */

/** All ten days of a large account, of which a part is wanted. */
const LARGEST = 1_000;
const PAGE = 60;
const SOME = 20;

/** At each end: the first ones may be nearly empty. */
const ENDS = 3;

/** Where the order goes with the moments, the first and the last periods may have all of a page. */
export const sizesAtEnds = (periods: PeriodList[]): number[] =>
  periods.map(({ is_partial }, i) => {
    if (is_partial) return LARGEST;
    return i < ENDS || i >= periods.length - ENDS ? PAGE : SOME;
  });

function monthOf(list: string): [number, number] {
  const [year = 0, month = 1] = periodOf(list).split('-').map(Number);
  return [Date.UTC(year, month - 1), Date.UTC(year, month)];
}

type Span = readonly [number, number];

/** At least one, in milliseconds. */
const shared = ([begins, ends]: Span, [from, to]: Span) =>
  Math.max(1, Math.min(to, ends) - Math.max(from, begins));

/**
 * Where it does not, a month has a share of the page that is like its share of the time: twice that, and some more, as shares
 * vary; and more where others of the month are between them.
 */
export function sizesByTime(ctx: Now, window: Window, months: PeriodList[]): number[] {
  const [wanted, all] = [boundsOf(ctx, window), boundsOf(ctx, { moment: window.moment })];
  return months.map(({ list }) => {
    const month = monthOf(list);
    const within = shared(wanted, month);
    const postings = (2 * PAGE * within) / shared(wanted, wanted) + SOME;
    return Math.min(LARGEST, Math.ceil((postings * shared(all, month)) / within));
  });
}
