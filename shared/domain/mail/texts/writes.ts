import { addDoc, removeDoc, restoreDoc } from '#shared/domain/platform/text-index/docs.ts';
import type { Write } from '#shared/table/table.ts';

/**
 * What an index of texts has of a message (docs/decisions/0088): that of a mailbox is for all who read it, that of a user or
 * group for what shares open to them.
 */

interface Named {
  id: string;
  id_hash: string;
  sent: number;
}

const docOf = ({ id, id_hash, sent }: Named) => ({ id, moment: sent, ref: id_hash });

/** In the transaction that delivers a new message to its first mailbox. */
export const messageArrives = (index: string, named: Named, words: readonly string[]): Write =>
  addDoc(index, docOf(named), words);

/** In the one that delivers it to another, or to one that it left; or where it may have been before. */
export const messageReturns = (index: string, named: Named, words: readonly string[]): Write[] =>
  restoreDoc(index, docOf(named), words);

/** In the transaction that takes it out. */
export const messageLeaves = (index: string, { id }: Pick<Named, 'id'>): Write[] => removeDoc(index, id);
