import type { Message } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';

/**
 * Attachments by their ids: what a link to the bytes needs, and the message that decides who may read them. Nothing of
 * it ever changes, also when the message moves to another thread or reaches another mailbox.
 */
export type Attachment = Item & {
  id: string;
  account_id: string;
  file_id: string;
  file_name: string;
  /** As the sender of the mail claims. */
  content_type: string;
  size: number;
  /** The message, and the hash of its Message-ID, by which its row is found. */
  message_id: string;
  id_hash: string;
};

/** The attachments of a message. Written before the message's row, without which nobody sees them. */
export function attachmentsOf(
  message: Pick<Message, 'id' | 'account_id' | 'id_hash' | 'attachments'>,
): Attachment[] {
  const { account_id, id: message_id, id_hash } = message;
  return message.attachments.map(({ id, file_id, file_name, content_type, size }) => ({
    ...keys.attachment(id),
    ...{ id, account_id, file_id, file_name, content_type, size, message_id, id_hash },
  }));
}
