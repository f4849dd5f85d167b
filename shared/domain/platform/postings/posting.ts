import { isDeepStrictEqual } from 'node:util';
import { keyOf } from '#shared/table/keys.ts';
import type { BatchWrite, Item } from '#shared/table/table.ts';

/**
 * A posting list is a partition of small items, the postings, whose sort key is the rank of what stands there. Every list
 * of an owner is so read from the highest rank down, from any place on, at the price of what is read
 * (docs/decisions/0011, 0026).
 */
export type Posting = Item & {
  /** In a list of words: those that are longer than what the list is for. */
  words?: string;
};

const nameOf = ({ PK, SK }: Posting) => `${PK} ${SK}`;

/** What is only in `after` or differs there is put, what is only in `before` is deleted. */
export function postingChanges<P extends Posting>(
  before: P[],
  after: P[],
): { puts: Extract<BatchWrite, { put: unknown }>[]; deletes: Extract<BatchWrite, { delete: unknown }>[] } {
  const old = new Map(before.map((posting) => [nameOf(posting), posting]));
  const kept = new Set(after.map(nameOf));
  return {
    puts: after
      .filter((posting) => !isDeepStrictEqual(old.get(nameOf(posting)), posting))
      .map((posting) => ({ put: posting })),
    deletes: before
      .filter((posting) => !kept.has(nameOf(posting)))
      .map((posting) => ({ delete: keyOf(posting) })),
  };
}
