import * as z from 'zod';
import type { Message } from '#shared/domain/mail/threads/thread.ts';
import { keys, lists, timeRank } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { timestamp } from '#shared/values.ts';

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
  /** All attachments that carry the file, those of the newest messages last. */
  list: string;
  rank: string;
};

/** The attachments of a message. Written before the message's row, without which nobody sees them. */
export function attachmentsOf(
  message: Pick<Message, 'id' | 'account_id' | 'id_hash' | 'sent' | 'attachments'>,
): Attachment[] {
  const { account_id, id: message_id, id_hash, sent } = message;
  return message.attachments.map(({ id, file_id, file_name, content_type, size }) => ({
    ...keys.attachment(id),
    ...{ id, account_id, file_id, file_name, content_type, size, message_id, id_hash },
    list: lists.carrying(file_id),
    rank: `${timeRank(sent)}#${id}`,
  }));
}

export const presignedUrlSchema = z
  .strictObject({
    url: z.string().meta({
      format: 'uri',
      description:
        'Takes one GET after another, without a key, until `expires_at`. It is a secret: do not store it',
      example: 'https://bucket.s3.eu-central-1.amazonaws.com/files/...?X-Amz-Signature=...',
    }),
    expires_at: timestamp,
    file_name: z.string(),
    content_type: z.string().meta({
      description:
        'As the sender of the mail claims. The URL serves raster images as such, and everything else as application/octet-stream',
    }),
    size: z.int().meta({ description: 'Bytes' }),
  })
  .meta({ id: 'PresignedUrl' });
