import { type Key, keys } from '#shared/table/keys.ts';
import { type Item, type QueryPage, type Table, update, type Write } from '#shared/table/table.ts';
import type { ListEntry, Listed } from './entry.ts';

/**
 * Sums of a value of records: each record is in one sum of an owner's, and its family names the sums by what they are
 * asked for. They change in the transaction of the record's entry, as counters do (docs/decisions/0083).
 */

/** A sum of an owner, by its name. */
export type ListSum = Item & {
  record_count: number;
  /** In units of `unitsOf`; the table returns large ones as a bigint. */
  units: number | bigint;
};

/** Where a record is summed. */
export interface Summed {
  /** Without a character above `~`. */
  name: string;
  /** An integer as text: amounts have more digits than a number. */
  units: string;
}

type Place = Pick<ListEntry, 'owner' | 'record_type'>;

const DECIMALS = 4;

/** Sums of one read; DynamoDB returns fewer when they have more than a megabyte. */
const PAGE = 10_000;

/** A decimal number of four decimals at most, in ten-thousandths: fractions such as 0.1 have no exact sums. */
export function unitsOf(amount: number): string {
  const [whole = '0', fraction = ''] = String(amount).split('.');
  return String(BigInt(whole + fraction.padEnd(DECIMALS, '0')));
}

/** The number of such units, which may have more digits than a number: then it is the nearest. */
export function amountOf(units: bigint): number {
  const digits = String(units).padStart(DECIMALS + 1, '0');
  return Number(`${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`);
}

function addition({ owner, record_type }: Place, name: string, records: number, units: bigint): Write {
  return update<ListSum>(keys.listSum(owner, record_type, name), { add: { record_count: records, units } });
}

/** The writes when an entry's sum changes; they belong in the transaction that writes the entry. */
export function sumWrites(
  place: Place,
  { summed: before }: Partial<Listed>,
  { summed: after }: Partial<Listed>,
): Write[] {
  if (before && before.name === after?.name) {
    const more = BigInt(after.units) - BigInt(before.units);
    return more === 0n ? [] : [addition(place, after.name, 0, more)];
  }
  return [
    ...(before ? [addition(place, before.name, -1, -BigInt(before.units))] : []),
    ...(after ? [addition(place, after.name, 1, BigInt(after.units))] : []),
  ];
}

export interface NamedSum {
  name: string;
  record_count: number;
  units: bigint;
}

/** The sums of an owner whose names are from one to another, both included. */
export async function readSums(
  table: Table,
  { owner, record_type }: Place,
  { from, to }: { from: string; to: string },
): Promise<NamedSum[]> {
  const at = (name: string) => keys.listSum(owner, record_type, name);
  const sums: ListSum[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const sort = { from: at(from).SK, to: at(to).SK };
    const page: QueryPage<ListSum> = await table.query<ListSum>({
      partition: at('').PK,
      sort,
      limit: PAGE,
      after,
    });
    sums.push(...page.items);
    after = page.last;
  } while (after);
  return sums.map(({ SK, record_count, units }: ListSum & Key) => ({
    ...{ name: SK.slice(at('').SK.length), record_count, units: BigInt(units) },
  }));
}
