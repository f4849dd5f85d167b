import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Noted, NotedMoment, RecordIndex } from './entry.ts';
import type { ListedItem } from './listed-item.ts';
import { momentsIn } from './moments-note.ts';

/**
 * In the order of words, the years, months and tens of days in which records were created, or last written, have lists of their
 * own: where that order goes with these moments, as days due do, what matches comes together, and may come late. Postings in the
 * list of ten days say the moment, as those in the list of everything do. All are in UTC.
 */

const periodList = (moment: NotedMoment, period: string) => `${moment}:${period}`;

/** `2026`, `2026-11` and `2026-11-2`: parts of the day's name. */
const [YEAR, MONTH, TENS] = [4, 7, 9];

const dayOf = (moment: number) => new Date(moment).toISOString();

/** The lists of a record. */
export function periodsNote(
  { periods = [] }: Pick<RecordIndex<never>, 'periods'>,
  record: ListedItem,
): Noted[] {
  return periods.flatMap((moment) => {
    const at = momentsIn([moment], record);
    const day = dayOf(at[moment] as number);
    return [
      { list: periodList(moment, day.slice(0, YEAR)), note: {} },
      { list: periodList(moment, day.slice(0, MONTH)), note: {} },
      { list: periodList(moment, day.slice(0, TENS)), note: at },
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
const MOST = 45;
const DAY = 86_400_000;

const twoDigits = (number: number) => String(number).padStart(2, '0');

const monthsOfYear = (year: string) => Array.from({ length: 12 }, (_, i) => `${year}-${twoDigits(i + 1)}`);

const tensOfMonth = (month: string) => ['0', '1', '2', '3'].map((digit) => `${month}-${digit}`);

interface PeriodList {
  list: string;
  /** Some of its records are outside of the window. */
  is_partial: boolean;
}

/**
 * The lists that have all records of a window among them, each record once, from the earliest to the latest; undefined when they
 * are too many. No record is older than its account. Clocks of writers may be ahead.
 */
export function listsOfWindow(
  { caller: { account }, now }: Pick<CallerContext, 'caller' | 'now'>,
  { moment, after, before }: Window,
): PeriodList[] | undefined {
  const begins = dayOf(Math.max(after ?? 0, Date.parse(account.created_at) - DAY));
  const last = now.getTime() + DAY;
  const ends = dayOf(Math.min(before ?? last, last));
  const cuts = [after, before].flatMap((at) => (at === undefined ? [] : dayOf(at).slice(0, TENS)));
  const isCut = (period: string) => cuts.some((cut) => cut.startsWith(period));
  const isWithin = (period: string) =>
    period >= begins.slice(0, period.length) && period <= ends.slice(0, period.length);
  const list = (name: string): PeriodList => ({
    list: periodList(moment, name),
    is_partial: cuts.includes(name),
  });
  const monthsIn = (month: string) => (isCut(month) ? tensOfMonth(month).filter(isWithin) : [month]);
  const all: PeriodList[] = [];
  for (let year = Number(begins.slice(0, YEAR)); year <= Number(ends.slice(0, YEAR)); year++) {
    const name = String(year);
    const parts = isCut(name) ? monthsOfYear(name).filter(isWithin).flatMap(monthsIn) : [name];
    all.push(...parts.map(list));
    if (all.length > MOST) return undefined;
  }
  return all;
}
