import type { NameInMail } from '#shared/domain/collaboration/records/correspondent.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { isNobody } from '#shared/domain/mail/mime/machines.ts';
import type { MailAddress, ParsedMessage } from '#shared/domain/mail/mime/message.ts';
import { emailAddress } from '#shared/values.ts';
import { personName } from './names.ts';

/** What one message says about the people in it (docs/specification/mail.md, "Contacts from mail"). */

export interface Met {
  email_address: string;
  /** Milliseconds: the owner of the mailbox wrote to the address. */
  wrote_at?: number;
  /** Milliseconds: somebody wrote from the address. */
  heard_at?: number;
  /** The address is that of a list. */
  is_list?: true;
  name?: NameInMail;
}

/** The addresses that decide who wrote a message. */
export interface OwnAddresses {
  /** Of the mailbox and its owner. */
  mine: ReadonlySet<string>;
  /** Of all mailboxes and users of the account. */
  own: ReadonlySet<string>;
}

/** A mail to more people is a circular. */
const MOST_RECIPIENTS = 100;

/** A message without a date is the last. */
const UNDATED = Date.UTC(9999, 11, 31);

/** `ada+news@acme.example` is an address of `ada@acme.example`. */
const withoutDetail = (address: string) => address.replace(/^([^"+@]+)\+[^@]*@/, '$1@');

/** One that a contact may have. */
const isEmailAddress = (address: string) => emailAddress.safeParse(address).data === address;

/** Also for an address with a detail: `ada+news@`. */
export const isAmong = (addresses: ReadonlySet<string>, address: string) =>
  addresses.has(address) || addresses.has(withoutDetail(address));

const isPerson = ({ own }: OwnAddresses, { email_address }: MailAddress) =>
  !isAmong(own, email_address) && !isNobody(email_address) && isEmailAddress(email_address);

function namedBy({ email_address, name }: MailAddress, by_owner: boolean, at: number): Pick<Met, 'name'> {
  const found = personName(name, email_address);
  return found ? { name: { ...found, by_owner, at } } : {};
}

/** Whom the owner wrote to: what only a copy without the traces of delivery can tell. */
function writtenTo(message: ParsedMessage, own: OwnAddresses, at: number): Met[] {
  const { to, cc, recipients_omitted, automatic, delivered } = message;
  if (automatic || delivered || to.length + cc.length + recipients_omitted > MOST_RECIPIENTS) return [];
  return [...to, ...cc]
    .filter((each) => isPerson(own, each))
    .map((each) => ({ email_address: each.email_address, wrote_at: at, ...namedBy(each, true, at) }));
}

export function metIn(message: ParsedMessage, own: OwnAddresses): Met[] {
  const { from, automatic, list_addresses, sent_at, received_at } = message;
  const moment = sent_at ?? received_at;
  const at = moment === null ? UNDATED : Date.parse(moment);
  const lists = list_addresses.filter(isEmailAddress);
  const met = lists.map((email_address): Met => ({ email_address, is_list: true }));
  if (!from) return met;
  if (isAmong(own.mine, from.email_address)) return [...met, ...writtenTo(message, own, at)];
  if (automatic || !isPerson(own, from)) return met;
  return [...met, { email_address: from.email_address, heard_at: at, ...namedBy(from, false, at) }];
}

export function ownAddresses(
  { email_address, aliases }: Pick<Mailbox, 'email_address' | 'aliases'>,
  owner: string | undefined,
  own: ReadonlySet<string>,
): OwnAddresses {
  return { mine: new Set([email_address, ...aliases, ...(owner === undefined ? [] : [owner])]), own };
}
