import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Noted, NotedMoment, RecordIndex } from './entry.ts';
import type { ListedItem } from './listed-item.ts';
import { momentsIn } from './moments-note.ts';

/**
 * In the order of words, the periods in which records were created, or last written, have lists of their own. Where that order
 * goes with these moments, as days due do, what matches comes together, and may come late: years, months and tens of days have
 * lists. Where it does not, as names, months have. Postings in the lists of the shortest periods say the moment, as those in the
 * list of everything do. All are in UTC.
 */

const periodList = (moment: NotedMoment, period: string) => `${moment}:${period}`;

/** The period of such a list. */
export const periodOf = (list: string) => list.slice(list.indexOf(':') + 1);

/** `2026`, `2026-11` and `2026-11-2`: parts of the day's name. */
const [YEAR, MONTH, TENS] = [4, 7, 9];

const dayOf = (moment: number) => new Date(moment).toISOString();

type HasPeriods = Pick<RecordIndex<never>, 'periods' | 'spread'>;

/** The lists of a record. */
export function periodsNote({ periods = [], spread }: HasPeriods, record: ListedItem): Noted[] {
  return periods.flatMap((moment) => {
    const at = momentsIn([moment], record);
    const day = dayOf(at[moment] as number);
    const named = (length: number, note = {}) => ({ list: periodList(moment, day.slice(0, length)), note });
    return spread ? [named(MONTH, at)] : [named(YEAR), named(MONTH), named(TENS, at)];
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
/** Longer windows of orders that do not go with moments have much of everything. */
const MOST_MONTHS = 13;
const DAY = 86_400_000;

const twoDigits = (number: number) => String(number).padStart(2, '0');

const monthsOfYear = (year: string) => Array.from({ length: 12 }, (_, i) => `${year}-${twoDigits(i + 1)}`);

const tensOfMonth = (month: string) => ['0', '1', '2', '3'].map((digit) => `${month}-${digit}`);

export interface PeriodList {
  list: string;
  /** Some of its records are outside of the window. */
  is_partial: boolean;
}

export type Now = Pick<CallerContext, 'caller' | 'now'>;

/** From the first moment to the last. No record is older than its account. Clocks of writers may be ahead. */
export function boundsOf({ caller: { account }, now }: Now, { after = 0, before }: Window): [number, number] {
  const last = now.getTime() + DAY;
  return [Math.max(after, Date.parse(account.created_at) - DAY), Math.min(before ?? last, last)];
}

function* yearsOf(first: string, last: string): Generator<string> {
  for (let year = Number(first.slice(0, YEAR)); year <= Number(last.slice(0, YEAR)); year++)
    yield String(year);
}

/** The moments at which the window cuts a period. */
const cutsOf = ({ after, before }: Window) =>
  [after, before].flatMap((at) => (at === undefined ? [] : [dayOf(at)]));

/**
 * The lists that have all records of a window among them, each record once, from the earliest to the latest; undefined when they
 * are too many.
 */
export function listsOfWindow(ctx: Now, window: Window, spread = false): PeriodList[] | undefined {
  const [begins, ends] = boundsOf(ctx, window).map(dayOf) as [string, string];
  const cuts = cutsOf(window);
  const isCut = (period: string) => cuts.some((cut) => cut.startsWith(period));
  const isWithin = (period: string) =>
    period >= begins.slice(0, period.length) && period <= ends.slice(0, period.length);
  const tensIn = (month: string) => (isCut(month) && !spread ? tensOfMonth(month).filter(isWithin) : [month]);
  const all: PeriodList[] = [];
  for (const year of yearsOf(begins, ends)) {
    const parts = isCut(year) || spread ? monthsOfYear(year).filter(isWithin).flatMap(tensIn) : [year];
    all.push(...parts.map((name) => ({ list: periodList(window.moment, name), is_partial: isCut(name) })));
    if (all.length > (spread ? MOST_MONTHS : MOST)) return undefined;
  }
  return all;
}
