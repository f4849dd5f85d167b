import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { type Item, type Table, type Write, when } from '#shared/table/table.ts';

/** Pairs of contacts that users said are two people: a row under each, so that it ends with either. */

const PREFIX = keys.distinct('', '').SK;

export type DistinctRow = Item;

export const rowsUnder = (contact: string): Key => keys.distinct(contact, '');

/** The other contact of a row. */
export const otherOf = ({ SK }: DistinctRow) => SK.slice(PREFIX.length);

/** The contacts among `ids` that are not the same person. */
export async function distinctFrom(table: Table, contact: string, ids: string[]): Promise<Set<string>> {
  const rows = await table.getMany<DistinctRow>(ids.map((id) => keys.distinct(contact, id)));
  return new Set(rows.map(otherOf));
}

const bothRows = (a: string, b: string) => [keys.distinct(a, b), keys.distinct(b, a)];

const stillLive = (contact: string): Write => ({
  check: keys.record('contacts', contact),
  when: when(isLive),
});

/** Fails when one of the contacts is being deleted or merged. */
export function distinguish(a: string, b: string): Write[] {
  return [...bothRows(a, b).map((put) => ({ put })), stillLive(a), stillLive(b)];
}

export const forget = (a: string, b: string): Write[] => bothRows(a, b).map((key) => ({ delete: key }));
