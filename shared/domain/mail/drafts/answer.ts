import type { MailAddress } from '#shared/domain/mail/mime/message.ts';
import type { Answered, Draft, Kind } from './draft.ts';
import type { Original } from './original.ts';

/** Whom a draft answers, and what about. */

type Recipients = Pick<Draft, 'to_email_addresses' | 'cc_email_addresses'>;

const addressesOf = (list: MailAddress[]) => [
  ...new Set(list.map(({ email_address }) => email_address).filter((address) => address.includes('@'))),
];

/** An answer to a mail of one's own goes where that mail went. */
function answeredPeople({ message, reply_to }: Original, own: ReadonlySet<string>): string[] {
  const { from, to } = message;
  if (from && own.has(from.email_address) && to.length > 0) return addressesOf(to);
  if (reply_to.length > 0) return reply_to;
  return from ? addressesOf([from]) : [];
}

/** Nobody for a forwarded message. Own addresses are left out when all are answered, unless nobody else is there. */
export function recipientsOf(kind: Kind, original: Original, own: ReadonlySet<string>): Recipients {
  if (kind === 'new' || kind === 'forward') return { to_email_addresses: [], cc_email_addresses: [] };
  const people = answeredPeople(original, own);
  if (kind === 'reply') return { to_email_addresses: people, cc_email_addresses: [] };
  const { to, cc } = original.message;
  const others = [...new Set([...people, ...addressesOf(to)])].filter((address) => !own.has(address));
  const to_email_addresses = others.length > 0 ? others : people;
  const copied = addressesOf(cc).filter(
    (address) => !own.has(address) && !to_email_addresses.includes(address),
  );
  return { to_email_addresses, cc_email_addresses: copied };
}

const IS_REPLY = /^\s*re\s*(?:\[\d+\])?\s*:/i;
const IS_FORWARD = /^\s*(?:fwd?)\s*:/i;
const MAX_SUBJECT = 900;

/** With its prefix once. */
export function subjectOf(kind: Kind, subject: string | null): string | null {
  const known = (subject ?? '').slice(0, MAX_SUBJECT).toWellFormed().trim();
  if (kind === 'new') return known || null;
  const [prefix, has] = kind === 'forward' ? ['Fwd:', IS_FORWARD] : ['Re:', IS_REPLY];
  return has.test(known) ? known : `${prefix} ${known}`.trim();
}

/** Ids in `References`: with more, headers exceed what some servers accept. */
const MAX_REFERENCES = 50;

/** The first one names the conversation, and the last ones the nearest messages. */
function trimmed(references: string[]): string[] {
  const [first] = references;
  if (first === undefined || references.length <= MAX_REFERENCES) return references;
  return [first, ...references.slice(1 - MAX_REFERENCES)];
}

/** A forwarded message begins a conversation with others. */
export function answeredOf(kind: Kind, { message, references }: Original): Answered {
  const { id, id_hash } = message;
  return { message_id: id, id_hash, references: kind === 'forward' ? [] : trimmed(references) };
}
