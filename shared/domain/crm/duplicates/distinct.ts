import type { Came } from '#shared/domain/collaboration/records/came-by.ts';
import { isLive, type RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { type Item, missing, present, type Table, type Write, when } from '#shared/table/table.ts';

/** Pairs of contacts that users said are two people: a row under each, so that it ends with either. */

const PREFIX = keys.distinct('', '').SK;

/** `sides`: for each contact, by way of which merges it is one of the two. */
export type DistinctRow = Item & { sides?: Record<string, Came> };

export const rowsUnder = (contact: string): Key => keys.distinct(contact, '');

/** The other contact of a row. */
export const otherOf = ({ SK }: DistinctRow) => SK.slice(PREFIX.length);

/** The contacts among `ids` that are not the same person. */
export async function distinctFrom(table: Table, contact: string, ids: string[]): Promise<Set<string>> {
  const rows = await table.getMany<DistinctRow>(ids.map((id) => keys.distinct(contact, id)));
  return new Set(rows.map(otherOf));
}

const bothRows = (a: string, b: string) => [keys.distinct(a, b), keys.distinct(b, a)];

/** Fails when the contact is being deleted or merged. */
export const stillLive = (contact: string): Write => ({
  check: keys.record('contacts', contact),
  when: when(isLive),
});

/** A deleted contact may come back. */
export const remains = (item: RecordItem | undefined): boolean =>
  item !== undefined && item.merged_into === undefined && !item.purging;

/** Fails when the contact is being merged, or is gone for ever. */
export const stillRemains = (contact: string): Write => ({
  check: keys.record('contacts', contact),
  when: when<RecordItem>({ PK: present, merged_into: missing, purging: missing }),
});

export const pairRows = (a: string, b: string, sides?: DistinctRow['sides']): Write[] =>
  bothRows(a, b).map((key) => ({ put: { ...key, ...(sides ? { sides } : {}) } }));

/** Fails when one of the contacts is being deleted or merged. */
export function distinguish(a: string, b: string, sides?: DistinctRow['sides']): Write[] {
  return [...pairRows(a, b, sides), stillLive(a), stillLive(b)];
}

export const forget = (a: string, b: string): Write[] => bothRows(a, b).map((key) => ({ delete: key }));
