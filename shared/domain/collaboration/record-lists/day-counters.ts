import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Addition, summed } from '#shared/table/additions.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import { type Item, type Table, update, type Write } from '#shared/table/table.ts';
import { shareOf } from './counters.ts';
import { type Dated, type ListEntry, type Listed, WHOLE } from './entry.ts';

/**
 * How many records a list has by a day of theirs: an item for each year counts its months, and one for each month its
 * days. So the records before any day are counted by the years and one month, and nothing is written when a day passes.
 * Words of years, months, tens of days and days find them.
 */

/** By the month of the year, or the day of the month. */
type Counts = { [name: `n${number}`]: number };
export type DayCount = Item & Counts;

type Name = keyof Counts & string;

const nameOf = (part: string) => `n${part}` as Name;

/** Characters of a year. */
const YEAR = 4;

/** `2026-11-23`: the part of the year, and that of the month. */
const partsOf = (day: string) => ({
  ...{ year: day.slice(0, YEAR), month: day.slice(0, 7) },
  ...{ in_year: nameOf(day.slice(5, 7)), in_month: nameOf(day.slice(8)) },
});

type Place = Pick<ListEntry, 'owner' | 'record_type'>;

type DayAddition = Addition<Name>;

const counted = (
  { owner, record_type }: Place,
  { list, day }: Dated,
  { by, share = '' }: { by: 1 | -1; share?: string },
): DayAddition[] => {
  const { year, month, in_year, in_month } = partsOf(day);
  return [
    { key: keys.listYear(owner, record_type, list, `${year}${share}`), add: { [in_year]: by } },
    { key: keys.listMonth(owner, record_type, list, `${month}${share}`), add: { [in_month]: by } },
  ];
};

/** The counters of a record that comes, or goes. */
export function additionsOf(
  entry: Pick<ListEntry, keyof Place | 'record_id'>,
  { dated, days = {} }: Partial<Listed>,
  by: 1 | -1,
): DayAddition[] {
  const share = shareOf(entry);
  return [
    ...(dated ? counted(entry, dated, { by }) : []),
    ...Object.entries(days).flatMap(([list, day]) => counted(entry, { list, day }, { by, share })),
  ];
}

const changes = ({ add }: DayAddition) => Object.values(add).some((by) => by !== 0);

/** The writes when an entry's days change; they belong in the transaction that writes the entry. */
export function dayCounterWrites(entry: ListEntry, before: Partial<Listed>, after: Partial<Listed>): Write[] {
  return summed([...additionsOf(entry, before, -1), ...additionsOf(entry, after, 1)])
    .filter(changes)
    .map(({ key, add }) => update<DayCount>(key, { add }));
}

/** Behind every day. */
const END = '~';

/** Records of a list, whose day is before this one. */
export interface Before {
  list: string;
  before: string;
}

/** A year, a month, ten days or a day, with the number of an owner's records in it. */
export interface Period {
  owner: string;
  /** `2026`, `2026-11`, `2026-11-2` or `2026-11-23`: a part of the day's name. */
  name: string;
  count: number;
}

/** The counters with a name before this one. */
const partsBefore = (counts: DayCount | undefined, before: string) =>
  Object.entries(counts ?? {})
    .filter(([name]) => /^n\d\d$/.test(name) && name < before)
    .map(([name, count]) => ({ part: name.slice(1), count: Number(count) }));

const sumOf = (counts: { count: number }[]) => counts.reduce((sum, { count }) => sum + count, 0);

const LAST = nameOf('99');

/** The days of a month before one: those of the tens before its own together, which begin with the same digit. */
function byTens(days: { part: string; count: number }[], day: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { part, count } of days) {
    const name = part.charAt(0) < day.charAt(0) ? part.charAt(0) : part;
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return counts;
}

interface Year {
  year: string;
  counts: DayCount;
}

/** The years of a list; each may be in several items, as each month may. */
async function readYears(table: Table, { owner, record_type }: Place, list: string): Promise<Year[]> {
  const { PK, SK: beginning } = keys.listYear(owner, record_type, list, '');
  const years = await table.all<DayCount>(PK, beginning);
  return years.map((counts) => ({ year: counts.SK.slice(beginning.length).slice(0, YEAR), counts }));
}

function readMonth(
  table: Table,
  { owner, record_type }: Place,
  { list, before }: Before,
): Promise<DayCount[]> {
  const { PK, SK } = keys.listMonth(owner, record_type, list, partsOf(before).month);
  return table.all<DayCount>(PK, SK);
}

/** By the years of a list, and the days of the month that the range ends in. */
function periodsIn(owner: string, before: string, years: Year[], days: DayCount[]): Period[] {
  const { year, month, in_year, in_month } = partsOf(before);
  const named = (name: string, count: number): Period => ({ owner, name, count });
  return [
    ...years
      .filter((each) => each.year < year)
      .map((each) => named(each.year, sumOf(partsBefore(each.counts, LAST)))),
    ...years
      .filter((each) => each.year === year)
      .flatMap((each) => partsBefore(each.counts, in_year))
      .map(({ part, count }) => named(`${year}-${part}`, count)),
    ...[
      ...byTens(
        days.flatMap((each) => partsBefore(each, in_month)),
        before.slice(8),
      ),
    ].map(([part, count]) => named(`${month}-${part}`, count)),
  ].filter(({ count }) => count > 0);
}

/** Years back in which most records of an account are. */
const USUAL_YEARS = 5;

const twoDigits = (number: number) => String(number).padStart(2, '0');

/** The names that the periods before a day have, where all records are of the last years. */
export function usualPeriods(before: string): string[] {
  const { year, month } = partsOf(before);
  const [tens = '', digit = ''] = before.slice(8);
  const numbers = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  return [
    ...numbers(Number(year) - USUAL_YEARS, Number(year)).map((each) => String(each).padStart(4, '0')),
    ...numbers(1, Number(month.slice(5))).map((each) => `${year}-${twoDigits(each)}`),
    ...numbers(0, Number(tens)).map((each) => `${month}-${each}`),
    ...numbers(0, Number(digit)).map((each) => `${month}-${tens}${each}`),
  ];
}

const ownersOf = ({ caller: { account, user } }: CallerContext) => [account.id, user.id];

/** The periods of one owner; all years without a day. */
async function periodsOf(
  table: Table,
  place: Place,
  { list, before = END }: Partial<Before> & Pick<Before, 'list'>,
  years = readYears(table, place, list),
): Promise<Period[]> {
  const days = before === END ? [] : readMonth(table, place, { list, before });
  return periodsIn(place.owner, before, ...(await Promise.all([years, days])));
}

/** All periods before it that have records which the caller sees. */
export async function periodsBefore(
  ctx: CallerContext,
  record_type: RecordType,
  range: Before,
): Promise<Period[]> {
  const periods = ownersOf(ctx).map((owner) => periodsOf(ctx.table, { owner, record_type }, range));
  return (await Promise.all(periods)).flat();
}

export const countBefore = async (ctx: CallerContext, record_type: RecordType, range: Before) =>
  sumOf(await periodsBefore(ctx, record_type, range));

/** How many records are before a day, or how many there are without one, for each of these in their order; years are read once. */
export async function countsBefore(
  ctx: CallerContext,
  record_type: RecordType,
  list: string,
  days: (string | undefined)[],
): Promise<number[]> {
  const owned = ownersOf(ctx).map((owner) => {
    const place = { owner, record_type };
    return { place, years: readYears(ctx.table, place, list) };
  });
  return Promise.all(
    days.map(async (before) => {
      const range = { list, ...(before === undefined ? {} : { before }) };
      const all = owned.map(({ place, years }) => periodsOf(ctx.table, place, range, years));
      return sumOf((await Promise.all(all)).flat());
    }),
  );
}

/** A word that finds the records of a list in a period, in the order of words. */
export const periodWord = (list: string, period: string) => `${WHOLE}${list}:${period}`;

export const periodWords = ({ list, day }: Dated): string[] =>
  [4, 7, 9, 10].map((length) => periodWord(list, day.slice(0, length)));
