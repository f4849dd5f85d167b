import { randomUUID } from 'node:crypto';
import { keys } from '#shared/table/keys.ts';
import type { Item, Write } from '#shared/table/table.ts';
import type { LogItem, StoredDoc } from './store.ts';

/** Documents come to an index and leave it in the transactions that make and remove them. */

export type GoneItem = Item & { id: string };

const logItem = (owner: string, doc: StoredDoc, words: readonly string[]) =>
  ({ ...keys.textLog(owner, doc.id), ...doc, words: words.join(' ') }) satisfies LogItem;

/** One that was never there. */
export const addDoc = (owner: string, doc: StoredDoc, words: readonly string[]): Write => ({
  put: logItem(owner, doc, words),
});

/** One that changes, or will: a later state of it takes its place. `replaces`: it is there. */
export const stateDoc = (
  owner: string,
  doc: StoredDoc,
  words: readonly string[],
  { replaces }: { replaces: boolean },
): Write => ({
  put: {
    ...logItem(owner, doc, words),
    ...{ version: randomUUID(), ...(replaces ? { replaces } : {}) },
  } satisfies LogItem,
});

/** One that may have left. */
export const restoreDoc = (owner: string, doc: StoredDoc, words: readonly string[]): Write[] => [
  addDoc(owner, doc, words),
  { delete: keys.textGone(owner, doc.id) },
];

/** It may be in a segment: whoever sorts the index takes its words out. */
export const removeDoc = (owner: string, id: string): Write[] => [
  { delete: keys.textLog(owner, id) },
  { put: { ...keys.textGone(owner, id), id } satisfies GoneItem },
];
