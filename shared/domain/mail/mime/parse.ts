import { envelopeDate } from '#shared/domain/mail/archives/envelope.ts';
import { withoutQuotes } from '#shared/domain/mail/quotes/quote-text.ts';
import { parsedAttachments } from './attachments.ts';
import { parsedBody } from './body.ts';
import { decodeWords } from './encoded-words.ts';
import { headerEnd, headerStart, isHeaderField } from './header-line.ts';
import {
  headerValues,
  isAutomatic,
  linkedMessageIds,
  mailboxes,
  messageId,
  momentsOf,
  recipients,
} from './headers.ts';
import { digestOf } from './identity.ts';
import { notesOn } from './labels.ts';
import { MAX_MESSAGE, TOO_LARGE } from './limits.ts';
import type { MailAddress, ParsedBody, ParsedMessage } from './message.ts';
import { type Mime, readMime } from './mime-reader.ts';
import { oneLine } from './text.ts';
import { isForwardSubject } from './threading.ts';
import { isDelivered, listAddresses } from './trace.ts';

const MAX_SUBJECT = 1000;
const MAX_SNIPPET = 200;
const READ_FOR_SNIPPET = 20_000;

/** Why a message cannot be read; `message` is for people. */
export class MailError extends Error {
  readonly reason: 'too_large' | 'too_complex' | 'not_a_message';

  constructor(reason: MailError['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MailError';
    this.reason = reason;
  }
}

/**
 * Reads one RFC 5322 message. Missing fields, unknown character sets and broken encodings are read as well as possible;
 * no string in the result has NUL or lone surrogates. Of a message that is too complex (`limits.ts`) only the beginning
 * is read, and its body is `truncated`, as of one that is only the beginning (`partial`): the attachment at its end is
 * left out.
 *
 * Throws MailError: `too_large` over 25 MB; `not_a_message` without a single header field.
 */
export async function parseMessage(
  raw: Uint8Array,
  { envelope_date = null, partial = false }: { envelope_date?: string | null; partial?: boolean } = {},
): Promise<ParsedMessage> {
  if (raw.length > MAX_MESSAGE) throw new MailError('too_large', TOO_LARGE);
  const start = headerStart(raw);
  if (!isHeaderField(raw, start)) throw new MailError('not_a_message', 'The text has no mail header.');
  return assemble(
    await readMime(raw.subarray(start), { partial }),
    envelope_date ?? ownEnvelopeDate(raw, start),
  );
}

/** The ids by which a message finds its thread. */
export type Links = Pick<ParsedMessage, 'in_reply_to' | 'references'> & { rfc_id: string | undefined };

/** Reads only the header; `rfc_id` is undefined when the message states none. */
export async function parseLinks(raw: Uint8Array): Promise<Links> {
  const start = headerStart(raw);
  const email = await readMime(raw.subarray(start, headerEnd(raw, start)));
  const stated = messageId(email);
  return { rfc_id: stated, ...linksOf(email, stated) };
}

/** What an answer is made of that a stored message does not have. */
export async function parseForAnswer(raw: Uint8Array): Promise<Links & { reply_to: MailAddress[] }> {
  const start = headerStart(raw);
  const email = await readMime(raw.subarray(start, headerEnd(raw, start)));
  const stated = messageId(email);
  return { rfc_id: stated, ...linksOf(email, stated), reply_to: mailboxes(email, 'reply-to') };
}

const linksOf = (email: Mime, stated: string | undefined) => ({
  in_reply_to: linkedMessageIds(email, 'in-reply-to', stated),
  references: linkedMessageIds(email, 'references', stated),
});

/** A message saved from an mbox may still have its envelope above the header. */
const ownEnvelopeDate = (raw: Uint8Array, start: number) => envelopeDate(raw.subarray(0, start));

function assemble(email: Mime, envelope: string | null): ParsedMessage {
  const stated = messageId(email);
  const subject = oneLine(decodeWords(headerValues(email, 'subject')[0] ?? ''), MAX_SUBJECT) || null;
  const from = mailboxes(email, 'from')[0] ?? null;
  const to = recipients(email);
  const body = bodyOf(email, subject);
  const message = {
    ...linksOf(email, stated),
    subject,
    ...momentsOf(email, envelope),
    from,
    ...to,
    reply_to: mailboxes(email, 'reply-to'),
    automatic: isAutomatic(email, from),
    delivered: isDelivered(email),
    list_addresses: listAddresses(
      email,
      [...to.to, ...to.cc].map(({ email_address }) => email_address),
    ),
    ...notesOn(email),
    snippet: snippetOf(body.new_plain_text ?? ''),
    ...parsedAttachments(email.attachments, body),
    body,
  };
  return { ...message, rfc_id: stated ?? `${digestOf(message)}@synthetic.invalid` };
}

function bodyOf({ html = '', text = '', truncated }: Mime, subject: string | null): ParsedBody {
  const body = parsedBody({ html, plain: text, forwarded: isForwardSubject(subject) });
  return { ...body, truncated: body.truncated || truncated };
}

/** The beginning of the new text for lists, without quoted lines and attributions between answers. */
function snippetOf(fresh: string): string | null {
  const own = withoutQuotes(fresh.slice(0, READ_FOR_SNIPPET));
  return oneLine(own, MAX_SNIPPET) || oneLine(fresh, MAX_SNIPPET) || null;
}
