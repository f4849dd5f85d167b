import MailComposer from 'nodemailer/lib/mail-composer';
import type MimeNode from 'nodemailer/lib/mime-node';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { contentIdKey, shownContentIds } from '#shared/domain/mail/mime/cid.ts';
import type { StoredAttachment } from '#shared/domain/mail/threads/thread.ts';
import { type Bucket, objectKeys } from '#shared/providers/files/bucket.ts';
import { unpack } from '../content.ts';
import type { Draft } from '../draft.ts';
import { flowed } from './flowed.ts';

/** The mail that a draft becomes: for the same draft always the same bytes, whenever it is written. */

type Attachments = NonNullable<ConstructorParameters<typeof MailComposer>[0]>['attachments'];

/** Other types would be read as parts of this mail. */
const ATTACHABLE = /^(?!multipart\/|message\/)[\w.+-]+\/[\w.+-]+$/i;

const typeOf = (claimed: string) => {
  const [type = ''] = claimed.split(';');
  return ATTACHABLE.test(type.trim()) ? type.trim().toLowerCase() : 'application/octet-stream';
};

async function attachmentsOf(bucket: () => Bucket, { account_id, attachments }: Draft, html: string) {
  const ids = shownContentIds(html);
  const shown = ({ content_id }: StoredAttachment) =>
    content_id !== null && ids.has(contentIdKey(content_id)) ? content_id : undefined;
  const read: Attachments = [];
  for (const attachment of attachments) {
    const { file_id, file_name: filename, content_type } = attachment;
    const content = Buffer.from(await bucket().get(objectKeys.file(account_id, file_id)));
    const cid = shown(attachment);
    const inline = cid === undefined ? {} : { cid, contentDisposition: 'inline' as const };
    read.push({ filename, content, contentType: typeOf(content_type), ...inline });
  }
  return read;
}

/** nodemailer knows one type of text. */
function markFlowed(node: MimeNode): void {
  // Its `contentType` is not known before it is built.
  if (/^text\/plain\b/.test(`${node.getHeader('Content-Type')}`) && !node.getHeader('Content-Disposition'))
    node.setHeader('Content-Type', 'text/plain; charset=utf-8; format=flowed');
  for (const child of node.childNodes) markFlowed(child);
}

export const senderOf = ({ from_email_address }: Draft, { email_address }: Mailbox) =>
  from_email_address ?? email_address;

const address = (email_address: string) => ({ name: '', address: email_address });

/** Of recipients, it names all but those of `bcc_email_addresses`. */
export async function rawMail(bucket: () => Bucket, draft: Draft, mailbox: Mailbox): Promise<Buffer> {
  const { body, body_html } = unpack(draft);
  const references = draft.answered?.references ?? [];
  const composer = new MailComposer({
    from: { name: mailbox.name, address: senderOf(draft, mailbox) },
    to: draft.to_email_addresses.map(address),
    cc: draft.cc_email_addresses.map(address),
    subject: draft.subject ?? '',
    messageId: `<${draft.rfc_id}>`,
    date: new Date(draft.dated_at ?? draft.created_at),
    ...(references.length > 0 ? { inReplyTo: `<${references.at(-1)}>`, references } : {}),
    text: flowed(body ?? ''),
    ...(body_html === null ? {} : { html: body_html }),
    attachments: await attachmentsOf(bucket, draft, body_html ?? ''),
    textEncoding: 'quoted-printable',
    newline: 'windows',
    baseBoundary: draft.id,
    // No file and no address is read for a mail.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  } as never);
  const root = composer.compile();
  markFlowed(root);
  return root.build();
}
