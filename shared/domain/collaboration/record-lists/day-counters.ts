import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Key, keys, nameOfKey, type RecordType } from '#shared/table/keys.ts';
import { type Item, type Table, update, type Write } from '#shared/table/table.ts';
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

/** `2026-11-23`: the part of the year, and that of the month. */
const partsOf = (day: string) => ({
  ...{ year: day.slice(0, 4), month: day.slice(0, 7) },
  ...{ in_year: nameOf(day.slice(5, 7)), in_month: nameOf(day.slice(8)) },
});

type Place = Pick<ListEntry, 'owner' | 'record_type'>;

/** An item, and what is added to its counters. */
export interface Addition {
  key: Key;
  add: Counts;
}

/** The counters of a record that comes, or goes. */
export function additionsOf({ owner, record_type }: Place, { list, day }: Dated, by: 1 | -1): Addition[] {
  const { year, month, in_year, in_month } = partsOf(day);
  return [
    { key: keys.listYear(owner, record_type, list, year), add: { [in_year]: by } },
    { key: keys.listMonth(owner, record_type, list, month), add: { [in_month]: by } },
  ];
}

/** One addition to an item: a transaction changes an item once. */
function summed(additions: Addition[]): Addition[] {
  const sums = new Map<string, Addition>();
  for (const { key, add } of additions) {
    const name = nameOfKey(key);
    const sum = sums.get(name) ?? { key, add: {} };
    for (const [part, by] of Object.entries(add) as [Name, number][])
      sum.add[part] = (sum.add[part] ?? 0) + by;
    sums.set(name, sum);
  }
  return [...sums.values()];
}

const changes = ({ add }: Addition) => Object.values(add).some((by) => by !== 0);

/** The writes when an entry's day changes; they belong in the transaction that writes the entry. */
export function dayCounterWrites(
  place: Place,
  { dated: before }: Partial<Listed>,
  { dated: after }: Partial<Listed>,
): Write[] {
  const additions = [
    ...(before ? additionsOf(place, before, -1) : []),
    ...(after ? additionsOf(place, after, 1) : []),
  ];
  return summed(additions)
    .filter(changes)
    .map(({ key, add }) => update<DayCount>(key, { add }));
}

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

async function periodsOf(table: Table, { owner, record_type }: Place, { list, before }: Before) {
  const { year, month, in_year, in_month } = partsOf(before);
  const { PK, SK: beginning } = keys.listYear(owner, record_type, list, '');
  const [years, days] = await Promise.all([
    table.all<DayCount>(PK, beginning),
    table.get<DayCount>(keys.listMonth(owner, record_type, list, month)),
  ]);
  const yearOf = ({ SK }: DayCount) => SK.slice(beginning.length);
  const named = (name: string, count: number): Period => ({ owner, name, count });
  return [
    ...years
      .filter((each) => yearOf(each) < year)
      .map((each) => named(yearOf(each), sumOf(partsBefore(each, LAST)))),
    ...years
      .filter((each) => yearOf(each) === year)
      .flatMap((each) => partsBefore(each, in_year))
      .map(({ part, count }) => named(`${year}-${part}`, count)),
    ...[...byTens(partsBefore(days, in_month), before.slice(8))].map(([part, count]) =>
      named(`${month}-${part}`, count),
    ),
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

/** All periods before it that have records which the caller sees. */
export async function periodsBefore(
  { table, caller: { account, user } }: CallerContext,
  record_type: RecordType,
  range: Before,
): Promise<Period[]> {
  const owners = [account.id, user.id];
  return (await Promise.all(owners.map((owner) => periodsOf(table, { owner, record_type }, range)))).flat();
}

export const countBefore = async (ctx: CallerContext, record_type: RecordType, range: Before) =>
  sumOf(await periodsBefore(ctx, record_type, range));

/** A word that finds the records of a list in a period, in the order of words. */
export const periodWord = (list: string, period: string) => `${WHOLE}${list}:${period}`;

export const periodWords = ({ list, day }: Dated): string[] =>
  [4, 7, 9, 10].map((length) => periodWord(list, day.slice(0, length)));
