import type { Email } from 'postal-mime';
import { addressesIn } from './addresses.ts';
import { headerValues } from './headers.ts';

/** What servers wrote on a message on its way. */

/** The protocol of a Received field (RFC 5321, 4.4). */
const PROTOCOL = /\bwith\s+([a-z0-9]+)/i;

/**
 * Protocols by which a server takes mail from its own users: SMTP after a login (RFC 3848, RFC 6531), and what web and
 * Outlook clients use. Mail from elsewhere has at least one field of plain SMTP.
 */
const SUBMITTED = /^(?:(?:UTF8)?E?SMTPS?A|HTTPS?|MAPI)$/i;

/** Fields that servers add to what they put into a mailbox. */
const DELIVERY = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'];

const withoutComments = (line: string) => line.replace(/\([^()]*\)/g, ' ');

const isSubmission = (received: string) =>
  SUBMITTED.test(PROTOCOL.exec(withoutComments(received))?.[1] ?? '');

/**
 * Whether a server delivered this copy, so that its From is the claim of anybody. Who sends a message can add fields of
 * servers and remove none.
 */
export const isDelivered = (email: Email): boolean =>
  DELIVERY.some((key) => headerValues(email, key).length > 0) ||
  !headerValues(email, 'received').every(isSubmission);

const idOfList = (value: string) => /<([^<>]+)>\s*$/.exec(value)?.[1]?.toLowerCase();

/** The addresses of the lists that it came through: of `List-Post`, and recipients that `List-Id` names. */
export function listAddresses(email: Email, recipients: string[]): string[] {
  const posts = headerValues(email, 'list-post').flatMap((value) =>
    [...value.matchAll(/<mailto:([^<>?]+)/gi)].flatMap(([, address = '']) => addressesIn(address)),
  );
  const ids = new Set(headerValues(email, 'list-id').map(idOfList));
  const named = recipients.filter((address) => ids.has(address.replace('@', '.')));
  return [...new Set([...posts.map(({ address }) => address.toLowerCase()), ...named])];
}
