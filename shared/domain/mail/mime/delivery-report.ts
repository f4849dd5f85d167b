import type { Email } from 'postal-mime';
import { decodeText } from './charset.ts';
import { headerEnd, headerStart } from './header-line.ts';
import { headerValues, messageId } from './headers.ts';
import type { ParsedAttachment } from './message.ts';
import { readMime } from './mime-reader.ts';
import { oneLine } from './text.ts';

/** Reads what a server tells of a mail that it could not deliver (RFC 3464, and RFC 6533 with other letters). */

export interface ReportedRecipient {
  /** As the sender wrote it, and as the server came to know it, in lower case. */
  addresses: string[];
  action: 'failed' | 'delayed';
  code: string | null;
  diagnostic: string | null;
}

export interface DeliveryReport {
  /** The Message-ID of the mail that it is about. */
  rfc_id: string;
  recipients: ReportedRecipient[];
}

const STATUS = /^message\/(?:global-)?delivery-status$/;
const RETURNED = /^(?:message\/(?:rfc822|global)|text\/rfc822-headers|message\/global-headers)$/;

/** Bytes that are read of either part. */
const MOST_BYTES = 64 * 1024;
/** Recipients of one report: a mail of the service has no more. */
const MOST_BLOCKS = 500;
const MAX_DIAGNOSTIC = 255;

/** `rfc822; <ada@acme.example>` without its type (RFC 3464, 2.1.2). */
const untyped = (field: string | undefined) => (field ?? '').replace(/^[^;]*;/, '').trim();

const addressIn = (field: string | undefined) => untyped(field).replace(/^<|>$/g, '').toLowerCase();

async function recipientIn(block: string): Promise<ReportedRecipient | undefined> {
  const fields: Email = await readMime(Buffer.from(`${block}\n\n`));
  const field = (name: string) => headerValues(fields, name)[0];
  const action = field('action')?.trim().toLowerCase();
  if (action !== 'failed' && action !== 'delayed') return undefined;
  const named = [field('original-recipient'), field('final-recipient')].map(addressIn);
  return {
    addresses: named.filter((address) => address !== ''),
    action,
    code: /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(field('status') ?? '')?.[0] ?? null,
    diagnostic: oneLine(untyped(field('diagnostic-code')), MAX_DIAGNOSTIC) || null,
  };
}

async function returnedId({ content }: ParsedAttachment): Promise<string | undefined> {
  const beginning = content.subarray(0, MOST_BYTES);
  const start = headerStart(beginning);
  return messageId(await readMime(beginning.subarray(start, headerEnd(beginning, start))));
}

/** Undefined for a mail that is no report, or does not say of which mail. */
export async function deliveryReport(attachments: ParsedAttachment[]): Promise<DeliveryReport | undefined> {
  const told = attachments.find(({ content_type }) => STATUS.test(content_type));
  const returned = attachments.find(({ content_type }) => RETURNED.test(content_type));
  const rfc_id = told && returned && (await returnedId(returned));
  if (!told || rfc_id === undefined) return undefined;
  const [, ...blocks] = decodeText(told.content.subarray(0, MOST_BYTES), undefined)
    .trim()
    .split(/(?:\r?\n[ \t]*){2,}/);
  const recipients: ReportedRecipient[] = [];
  for (const block of blocks.slice(0, MOST_BLOCKS)) {
    const recipient = await recipientIn(block);
    if (recipient) recipients.push(recipient);
  }
  return { rfc_id, recipients };
}
