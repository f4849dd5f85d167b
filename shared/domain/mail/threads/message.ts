import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { mapAtOnce } from '#shared/at-once.ts';
import { attachmentsOf } from '#shared/domain/mail/attachments/attachment.ts';
import { resolveInlineImages } from '#shared/domain/mail/mime/cid.ts';
import { ancestryOf, hashOfId } from '#shared/domain/mail/mime/identity.ts';
import type {
  MailAddress,
  ParsedAttachment,
  ParsedBody,
  ParsedMessage,
} from '#shared/domain/mail/mime/message.ts';
import { baseSubject } from '#shared/domain/mail/mime/threading.ts';
import { wordsOfMessage } from '#shared/domain/mail/texts/words.ts';
import type { File } from '#shared/domain/work/files/file.ts';
import { idFrom } from '#shared/ids.ts';
import { objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { type StoredBody, storeBody } from './body.ts';
import type { Delivery, Ingestion } from './delivery.ts';
import type { Message, StoredAttachment } from './thread.ts';

/**
 * Writes what a message has besides its row: raw mail, attachments as files, a large body. All ids and object keys
 * derive from the content, so writing them again changes nothing, and nothing refers to them before the row exists.
 */

/** Bytes of recipients in a message's item: some 3,000 addresses with names. */
const RECIPIENT_BYTES = 150_000;
const MAX_SUBJECT = 2_000;
/** Attachments written in parallel. */
const AT_ONCE = 4;

/** In order, as many as fit; `recipients_omitted` counts the others. */
function recipientsOf({ to, cc, bcc, recipients_omitted }: ParsedMessage) {
  let bytes = 0;
  const fits = (recipient: MailAddress) => {
    bytes += Buffer.byteLength(JSON.stringify(recipient));
    return bytes <= RECIPIENT_BYTES;
  };
  const kept = { to: to.filter(fits), cc: cc.filter(fits), bcc: bcc.filter(fits) };
  const count = (lists: MailAddress[][]) => lists.reduce((sum, list) => sum + list.length, 0);
  const omitted = recipients_omitted + count([to, cc, bcc]) - count([kept.to, kept.cc, kept.bcc]);
  return omitted > 0 ? { ...kept, recipients_omitted: omitted } : kept;
}

const cut = (text: string | null, max: number) => (text === null ? null : [...text].slice(0, max).join(''));

/** The bytes of a file that ended are being removed: the same file has another id then. */
async function unusedUp(table: Table, id: string): Promise<string> {
  const file = await table.get<File>(keys.record('files', id));
  return file?.leaves_mark ? unusedUp(table, idFrom('file again', id)) : id;
}

async function storeAttachment(
  { bucket, table }: Ingestion,
  { account_id }: Delivery,
  message_id: string,
  attachment: ParsedAttachment,
  index: number,
): Promise<StoredAttachment> {
  const sha256 = createHash('sha256').update(attachment.content).digest('hex');
  const { content, ...described } = attachment;
  // A file is what all of its mails say alike, so that nobody learns from it what a hidden mail says.
  const { file_name, content_type, decorative } = described;
  const claims = [file_name, content_type, ...(decorative ? ['decorative'] : [])];
  const file_id = await unusedUp(table, idFrom('file', account_id, sha256, ...claims));
  await bucket.put(objectKeys.file(account_id, file_id), content, content_type);
  return { ...described, id: idFrom('attachment', message_id, String(index)), file_id };
}

/** `cid:` images get the download address of their attachment (docs/specification/mail.md, "Body"). */
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

/** The attributes for what a mailbox says of a message: the marks of its owner, headers, and the category of its provider. */
export const NOTES = [
  ...(['read_in', 'starred_in', 'automatic_in'] as const),
  ...(['personal_in', 'promotion_in', 'update_in', 'forum_in'] as const),
];

export function notesOf({ read, starred, automatic, category }: ParsedMessage): (typeof NOTES)[number][] {
  return [
    ...(read ? ['read_in' as const] : []),
    ...(starred ? ['starred_in' as const] : []),
    ...(automatic ? ['automatic_in' as const] : []),
    ...(category ? [`${category}_in` as const] : []),
  ];
}

/** The message as it reached one mailbox, without a thread. */
export function messageOf(delivery: Delivery, id: string, now: Date): Message {
  const { message, account_id, mailbox } = delivery;
  const { nearest, oldest } = ancestryOf(message);
  const arrived = now.getTime();
  const sent = message.sent_at === null ? arrived : Date.parse(message.sent_at);
  const received = message.received_at === null ? sent : Date.parse(message.received_at);
  const people = recipientsOf(message);
  return {
    ...keys.message('', sent, id),
    id,
    thread_id: '',
    account_id,
    rfc_id: message.rfc_id,
    id_hash: hashOfId(message.rfc_id),
    ancestors: nearest.map(hashOfId),
    ...(oldest === undefined ? {} : { oldest: hashOfId(oldest) }),
    subject: cut(message.subject, MAX_SUBJECT),
    base_subject: baseSubject(message.subject),
    sent,
    received_in: { [mailbox.id]: Math.min(received, arrived) },
    from: message.from,
    ...people,
    automatic: false,
    category: null,
    snippet: message.snippet,
    attachments: [],
    mailbox_ids: new Set([mailbox.id]),
    ...Object.fromEntries(notesOf(message).map((name) => [name, new Set([mailbox.id])])),
  };
}

/** Writes what does not fit the table; returns the items of the message and its body. */
export async function storeMessage(
  ingestion: Ingestion,
  delivery: Delivery,
  message: Message,
): Promise<{ message: Message; body: StoredBody }> {
  const { account_id, raw } = delivery;
  const { id, thread_id } = message;
  await ingestion.bucket.put(objectKeys.rawMail(account_id, id), gzipSync(raw), 'application/gzip');
  const attachments = await mapAtOnce(delivery.message.attachments, AT_ONCE, (attachment, i) =>
    storeAttachment(ingestion, delivery, id, attachment, i),
  );
  const body = withInlineImages(delivery.message.body, attachments);
  const whole = { ...message, ...keys.message(thread_id, message.sent, id), attachments };
  await ingestion.table.writeMany(attachmentsOf(whole).map((put) => ({ put })));
  return {
    message: whole,
    body: await storeBody(ingestion.bucket, { account_id, thread_id, message_id: id }, body, () =>
      wordsOfMessage(delivery.message),
    ),
  };
}
