import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Noted, NotedMoment, RecordIndex } from './entry.ts';
import type { ListedItem } from './listed-item.ts';
import { momentsIn } from './moments-note.ts';

/**
 * In the order of words, the months and years in which records were created, or last written, have lists of their own: where
 * that order goes with these moments, as days due do, what matches comes together, and may come late. Postings in the list of
 * a month say the moment, as those in the list of everything do. All are in UTC.
 */

const monthList = (moment: NotedMoment, month: string) => `${moment}:${month}`;

const monthOf = (moment: number) => new Date(moment).toISOString().slice(0, 7);

/** The lists of a record. */
export function monthsNote({ months = [] }: Pick<RecordIndex<never>, 'months'>, record: ListedItem): Noted[] {
  return months.flatMap((moment) => {
    const at = momentsIn([moment], record);
    const month = monthOf(at[moment] as number);
    return [
      { list: monthList(moment, month.slice(0, 4)), note: {} },
      { list: monthList(moment, month), note: at },
    ];
  });
}

/** After a moment, before one, or both; in milliseconds, without these. */
export interface Window {
  moment: NotedMoment;
  after?: number;
  before?: number;
}

/** The window that several leave; undefined for those of different moments. */
export function common([first, ...others]: Window[]): Window | undefined {
  if (!first || others.some(({ moment }) => moment !== first.moment)) return undefined;
  const all = [first, ...others];
  const after = all.flatMap(({ after = [] }) => after);
  const before = all.flatMap(({ before = [] }) => before);
  return {
    moment: first.moment,
    ...(after.length > 0 ? { after: Math.max(...after) } : {}),
    ...(before.length > 0 ? { before: Math.min(...before) } : {}),
  };
}

/** Lists that are merged at most, of one owner; a read each. */
const MOST = 40;
const DAY = 86_400_000;

const twoDigits = (number: number) => String(number).padStart(2, '0');

const monthsOfYear = (year: string) => Array.from({ length: 12 }, (_, i) => `${year}-${twoDigits(i + 1)}`);

interface MonthList {
  list: string;
  /** Some of its records are outside of the window. */
  is_partial: boolean;
}

/**
 * The lists that have all records of a window among them, each record once; undefined when they are too many. No record is
 * older than its account. Clocks of writers may be ahead.
 */
export function monthLists(
  { caller: { account }, now }: Pick<CallerContext, 'caller' | 'now'>,
  { moment, after, before }: Window,
): MonthList[] | undefined {
  const begins = monthOf(Math.max(after ?? 0, Date.parse(account.created_at) - DAY));
  const last = now.getTime() + DAY;
  const ends = monthOf(Math.min(before ?? last, last));
  const partial = [after, before].flatMap((at) => (at === undefined ? [] : monthOf(at)));
  const list = (name: string): MonthList => ({
    list: monthList(moment, name),
    is_partial: partial.includes(name),
  });
  const all: MonthList[] = [];
  for (let year = Number(begins.slice(0, 4)); year <= Number(ends.slice(0, 4)); year++) {
    const months = monthsOfYear(String(year));
    const isWhole = !partial.some((month) => months.includes(month));
    const within = months.filter((month) => month >= begins && month <= ends);
    all.push(...(isWhole ? [String(year)] : within).map(list));
    if (all.length > MOST) return undefined;
  }
  return all;
}
