import type { ParsedMessage } from '#shared/domain/mail/mime/message.ts';
import { addDoc, removeDoc } from '#shared/domain/platform/text-index/docs.ts';
import type { Write } from '#shared/table/table.ts';
import { wordsOfMessage } from './words.ts';

/** What a mailbox's index of texts has of a message (docs/decisions/0088). Who reads the mailbox finds by all of it. */

interface Named {
  id: string;
  id_hash: string;
  sent: number;
}

/** In the transaction that delivers the message to the mailbox. */
export const messageArrives = (
  mailbox_id: string,
  { id, id_hash, sent }: Named,
  message: ParsedMessage,
): Write[] => addDoc(mailbox_id, { id, moment: sent, ref: id_hash }, wordsOfMessage(message));

/** In the transaction that takes it out. */
export const messageLeaves = (mailbox_id: string, { id }: Pick<Named, 'id'>): Write[] =>
  removeDoc(mailbox_id, id);
