import { isDeepStrictEqual } from 'node:util';
import { keyOf, nameOfKey } from '#shared/table/keys.ts';
import type { BatchWrite, Item } from '#shared/table/table.ts';

/**
 * A posting list is a partition of small items, the postings. Their sort key is the rank of a record. So every list of
 * an owner can be read from the highest rank down, from any position, at the cost of what is read (docs/decisions/0011,
 * 0026).
 */
export type Posting = Item & {
  /** In a list of words: the words that are longer than the list's prefix. */
  words?: string;
};

/** Puts the postings that are new or different in `after`, deletes those that are only in `before`. */
export function postingChanges<P extends Posting>(
  before: P[],
  after: P[],
): { puts: Extract<BatchWrite, { put: unknown }>[]; deletes: Extract<BatchWrite, { delete: unknown }>[] } {
  const old = new Map(before.map((posting) => [nameOfKey(posting), posting]));
  const puts: { put: P }[] = [];
  const kept = new Set<string>();
  for (const posting of after) {
    const name = nameOfKey(posting);
    kept.add(name);
    if (!isDeepStrictEqual(old.get(name), posting)) puts.push({ put: posting });
  }
  const gone = [...old].filter(([name]) => !kept.has(name));
  return { puts, deletes: gone.map(([, posting]) => ({ delete: keyOf(posting) })) };
}
