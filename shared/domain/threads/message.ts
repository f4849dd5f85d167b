import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { idFrom } from '../../ids.ts';
import { objectKeys } from '../../providers/files/bucket.ts';
import { keys } from '../../table/keys.ts';
import { resolveInlineImages } from '../mail/cid.ts';
import type { ParsedAttachment, ParsedBody, ParsedMessage } from '../mail/message.ts';
import { MailError } from '../mail/parse.ts';
import { type StoredBody, storeBody } from './body.ts';
import type { Delivery, Ingestion } from './delivery.ts';
import type { Message, StoredAttachment } from './thread.ts';

/**
 * Writes what a message brings besides its row: raw mail, attachments as files, a large body. All ids and object keys
 * follow from the content, so writing them again changes nothing, and nothing refers to them until the row is there.
 */

/** More would not fit the message's item (400 kB). The raw mail keeps all of them. */
const MAX_ATTACHMENTS = 300;
const MAX_RECIPIENTS = 1_000;
const MAX_SUBJECT = 2_000;

const cut = (text: string | null, max: number) => (text === null ? null : [...text].slice(0, max).join(''));

async function storeAttachment(
  { bucket, table, now }: Ingestion,
  { account_id }: Delivery,
  message_id: string,
  attachment: ParsedAttachment,
  index: number,
): Promise<StoredAttachment> {
  const sha256 = createHash('sha256').update(attachment.content).digest('hex');
  const { content, ...described } = attachment;
  // The same bytes under the same name are one file, however many messages carry it.
  const file_id = idFrom('file', account_id, sha256, attachment.file_name);
  const storage_key = objectKeys.file(account_id, file_id);
  await bucket.put(storage_key, content, attachment.content_type);
  const dot = attachment.file_name.lastIndexOf('.');
  await table.update(
    keys.record('files', file_id),
    {
      update:
        'SET id = :id, account_id = :account, file_name = :name, #name = if_not_exists(#name, :name), extension = :extension, content_type = :type, size = :size, sha256 = :sha256, storage_key = :key, #source = :source, created_at = if_not_exists(created_at, :now)',
      names: { '#name': 'name', '#source': 'source' },
      values: {
        ':id': file_id,
        ':account': account_id,
        ':name': attachment.file_name,
        ':extension': dot > 0 ? attachment.file_name.slice(dot + 1).toLowerCase() : null,
        ':type': attachment.content_type,
        ':size': attachment.size,
        ':sha256': sha256,
        ':key': storage_key,
        ':source': 'attachment',
        ':now': now().toISOString(),
      },
    },
    'NONE',
  );
  return { ...described, id: idFrom('attachment', message_id, String(index)), file_id };
}

/** `cid:` images point to the download of the attachment that carries them (specification, "Body"). */
function withInlineImages(body: ParsedBody, attachments: StoredAttachment[]): ParsedBody {
  const sources = new Map(
    attachments.flatMap(({ id, file_id, content_id }) =>
      content_id === null ? [] : [[content_id, `/files/${file_id}/download?attachment_id=${id}`] as const],
    ),
  );
  if (sources.size === 0) return body;
  const resolve = (html: string | null) => (html === null ? null : resolveInlineImages(html, sources));
  return {
    ...body,
    sanitized_html: resolve(body.sanitized_html),
    new_html: resolve(body.new_html),
    quoted_html: resolve(body.quoted_html),
  };
}

/** Where a message says what its owner noted on it. */
export function notesOf({ read, starred }: ParsedMessage): ('read_in' | 'starred_in')[] {
  return [...(read ? ['read_in' as const] : []), ...(starred ? ['starred_in' as const] : [])];
}

export async function storeMessage(
  ingestion: Ingestion,
  delivery: Delivery,
  thread_id: string,
): Promise<{ message: Message; body: StoredBody }> {
  const { message, account_id, mailbox, raw } = delivery;
  if (message.attachments.length > MAX_ATTACHMENTS)
    throw new MailError('too_complex', `The message has more than ${MAX_ATTACHMENTS} attachments.`);
  const id = idFrom('message', account_id, message.rfc_id);
  await ingestion.bucket.put(objectKeys.rawMail(account_id, id), gzipSync(raw), 'application/gzip');
  const attachments: StoredAttachment[] = [];
  for (const [i, attachment] of message.attachments.entries())
    attachments.push(await storeAttachment(ingestion, delivery, id, attachment, i));
  const body = withInlineImages(message.body, attachments);
  const sent = message.sent_at === null ? ingestion.now().getTime() : Date.parse(message.sent_at);
  const stored: Message = {
    ...keys.message(thread_id, sent, id),
    id,
    thread_id,
    account_id,
    rfc_id: message.rfc_id,
    subject: cut(message.subject, MAX_SUBJECT),
    sent,
    from: message.from,
    to: message.to.slice(0, MAX_RECIPIENTS),
    cc: message.cc.slice(0, MAX_RECIPIENTS),
    bcc: message.bcc.slice(0, MAX_RECIPIENTS),
    automatic: message.automatic,
    category: message.category,
    snippet: message.snippet,
    attachments,
    mailbox_ids: new Set([mailbox.id]),
    ...Object.fromEntries(notesOf(message).map((name) => [name, new Set([mailbox.id])])),
  };
  return {
    message: stored,
    body: await storeBody(ingestion.bucket, { account_id, thread_id, message_id: id }, body),
  };
}
