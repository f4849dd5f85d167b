import { createHash } from 'node:crypto';
import type { MailAddress, ParsedMessage } from './message.ts';

/**
 * The identity of a message, besides the Message-ID that it claims (docs/specification/mail.md, "Message identity").
 * The sender of a mail or the owner of a file writes its Message-ID and every other header: two deliveries are one
 * message only when everything that readers see of it agrees as well.
 */

const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data);

const addressesIn = (list: MailAddress[]) => list.map(({ email_address }) => email_address).sort();

/** Servers fold lines and trim their ends; no other difference in a text is accepted. */
const words = (text: string | null) => text?.replace(/\s+/gu, ' ').trim() ?? null;

/**
 * A digest of what all deliveries of one message have in common, whatever servers add: Received and similar fields,
 * `Status`, line ends, transfer encodings. Without Bcc, because only the sender's copy has it.
 */
export function digestOf(message: Omit<ParsedMessage, 'rfc_id'>): string {
  const { body } = message;
  const shown = [
    [message.from?.email_address ?? null, words(message.from?.name ?? null)],
    addressesIn(message.to),
    addressesIn(message.cc),
    message.sent_at,
    words(message.subject),
    message.in_reply_to,
    message.references,
    [words(body.new_plain_text), words(body.quoted_plain_text), words(body.sanitized_html), body.truncated],
    message.attachments.map(({ file_name, content_type, content_id, content }) => [
      file_name,
      content_type,
      content_id,
      sha256(content).digest('hex'),
    ]),
  ];
  return sha256(JSON.stringify(shown)).digest('hex');
}

/** A digest of all from which a message of an archive is read: the same digest is the same message. */
export function digestOfBytes(raw: Uint8Array, envelope_date: string | null): string {
  return sha256(`${envelope_date ?? ''}\n`)
    .update(raw)
    .digest('base64url');
}

/** Message-IDs are stored as digests of a fixed length: 128 bits, so that nobody finds a second id for one. */
export function hashOfId(rfc_id: string): string {
  return sha256(rfc_id).digest('base64url').slice(0, 22);
}

/** Ids to look up: the nearest, and the oldest. */
const MAX_ANCESTORS = 40;

export interface Ancestry {
  /** The ids of the messages before this one, nearest first: `In-Reply-To`, then `References` from the right. */
  nearest: string[];
  /**
   * The id under which messages meet when nobody has the beginning of their conversation; undefined without ancestors.
   */
  oldest: string | undefined;
}

export function ancestryOf({
  in_reply_to,
  references,
}: Pick<ParsedMessage, 'in_reply_to' | 'references'>): Ancestry {
  const ids = [...new Set([...in_reply_to, ...references.toReversed()])];
  const oldest = references[0] ?? ids.at(-1);
  if (oldest === undefined || ids.length <= MAX_ANCESTORS) return { nearest: ids, oldest };
  return { nearest: [...new Set([...ids.slice(0, MAX_ANCESTORS - 1), oldest])], oldest };
}
