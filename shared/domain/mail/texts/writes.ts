import type { ParsedMessage } from '#shared/domain/mail/mime/message.ts';
import { addDoc, removeDoc, restoreDoc } from '#shared/domain/platform/text-index/docs.ts';
import type { Write } from '#shared/table/table.ts';
import { wordsOfMessage } from './words.ts';

/** What a mailbox's index of texts has of a message (docs/decisions/0088). Who reads the mailbox finds by all of it. */

interface Named {
  id: string;
  id_hash: string;
  sent: number;
}

const docOf = ({ id, id_hash, sent }: Named) => ({ id, moment: sent, ref: id_hash });

/** In the transaction that delivers a new message to its first mailbox. */
export const messageArrives = (mailbox_id: string, named: Named, message: ParsedMessage): Write =>
  addDoc(mailbox_id, docOf(named), wordsOfMessage(message));

/** In the one that delivers it to another, or to one that it left. */
export const messageReturns = (mailbox_id: string, named: Named, message: ParsedMessage): Write[] =>
  restoreDoc(mailbox_id, docOf(named), wordsOfMessage(message));

/** In the transaction that takes it out. */
export const messageLeaves = (mailbox_id: string, { id }: Pick<Named, 'id'>): Write[] =>
  removeDoc(mailbox_id, id);
