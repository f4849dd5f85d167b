import { createHash } from 'node:crypto';
import type { Email } from 'postal-mime';
import { addressesIn } from './addresses.ts';
import { isoDate, receivedDate } from './dates.ts';
import { MAX_RECIPIENTS } from './limits.ts';
import { isMachine } from './machines.ts';
import type { MailAddress, ParsedMessage } from './message.ts';
import { oneLine, storable } from './text.ts';

/** Reads the header fields of a message leniently: nothing here throws. */

const MAX_ID = 512;
const MAX_IDS = 80;
const MAX_ADDRESS = 320;
const MAX_NAME = 200;

/** The values of all fields with this lower-case name, in order. */
export function headerValues(email: Email, key: string): string[] {
  return email.headers.filter((header) => header.key === key).map((header) => header.value);
}

const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest('hex');

export function messageId(email: Email): string | undefined {
  return idsIn(headerValues(email, 'message-id'))[0];
}

/**
 * The ids of a References or In-Reply-To field without duplicates and `own`; of more than 80 the first and the last 79,
 * since the first names the thread and the last the nearest messages.
 */
export function linkedMessageIds(
  email: Email,
  key: 'references' | 'in-reply-to',
  own: string | undefined,
): string[] {
  const ids = idsIn(headerValues(email, key)).filter((id) => id !== own);
  return ids.length <= MAX_IDS ? ids : [ids[0]!, ...ids.slice(1 - MAX_IDS)];
}

/** Every `<id>` in the values; of values without angle brackets, the words that contain an at sign. */
function idsIn(values: string[]): string[] {
  const found = values.flatMap((value) => {
    const bracketed = value.match(/<[^<>]+>/g);
    return bracketed ?? value.split(/[\s,;]+/).filter((word) => word.includes('@'));
  });
  return [...new Set(found.map(cleanId).filter((id) => id !== ''))];
}

// Ids become parts of database keys, which have a size limit; the digest still matches wherever the id is named.
function cleanId(id: string): string {
  const clean = storable(id).replace(/[\s\p{Cc}<>]+/gu, '');
  return clean.length <= MAX_ID ? clean : `${sha256(clean)}@long-id.invalid`;
}

/**
 * When the message was sent and delivered, by its header and the mbox line above it. Each server adds its Received
 * field on top, so the topmost is from the own server; those below were written on the way.
 */
export function momentsOf(
  email: Email,
  envelope: string | null,
): Pick<ParsedMessage, 'sent_at' | 'received_at'> {
  const received = headerValues(email, 'received').map(receivedDate);
  const [topmost = null] = received;
  const readable = received.find((found) => found !== null) ?? null;
  const date = headerValues(email, 'date')
    .map(isoDate)
    .find((found) => found !== null);
  return { sent_at: date ?? envelope ?? readable, received_at: topmost ?? envelope ?? readable };
}

/** The mailboxes of the fields with this name, without duplicates and invalid addresses. */
export function mailboxes(email: Email, key: string): MailAddress[] {
  const found = new Map<string, MailAddress>();
  for (const { address, name } of headerValues(email, key).flatMap(addressesIn)) {
    const email_address = storable(address)
      .replace(/[\p{Cc}\u200b\ufeff]+/gu, '')
      .toLowerCase();
    if (!isAddress(email_address) || found.has(email_address)) continue;
    const label = oneLine(name, MAX_NAME);
    found.set(email_address, { email_address, name: label === '' || label === email_address ? null : label });
  }
  return [...found.values()];
}

/** To, Cc and Bcc, up to the limit of a message; the other recipients are counted. */
export function recipients(email: Email): Recipients {
  let left = MAX_RECIPIENTS;
  const [to, cc, bcc] = (['to', 'cc', 'bcc'] as const).map((key) => {
    const all = mailboxes(email, key);
    const kept = all.slice(0, left);
    left -= kept.length;
    return { kept, omitted: all.length - kept.length };
  }) as [Kept, Kept, Kept];
  return {
    to: to.kept,
    cc: cc.kept,
    bcc: bcc.kept,
    recipients_omitted: to.omitted + cc.omitted + bcc.omitted,
  };
}

type Recipients = Pick<ParsedMessage, 'to' | 'cc' | 'bcc' | 'recipients_omitted'>;
interface Kept {
  kept: MailAddress[];
  omitted: number;
}

// Only a quoted local part may contain a special character (RFC 5321, 4.1.2).
const isAddress = (address: string) =>
  address.length <= MAX_ADDRESS && /^(?:"(?:[^"\\]|\\.)+"|[^"(),:;<>@[\]\\]+)@[^"(),;<>@\\]+$/.test(address);

/** True for mail of lists, bulk senders and machines (RFC 2919, 2369, 3834 and the sender's address). */
export function isAutomatic(email: Email, from: MailAddress | null): boolean {
  const has = (key: string, pattern: RegExp) => headerValues(email, key).some((value) => pattern.test(value));
  return (
    has('list-id', /\S/) ||
    has('list-unsubscribe', /\S/) ||
    has('precedence', /^\s*(?:bulk|list|junk|auto_reply)\b/i) ||
    has('auto-submitted', /^\s*(?!no\b)\S/i) ||
    isMachine(from?.email_address ?? '')
  );
}
