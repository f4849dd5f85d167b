import { ExternalIds } from '#shared/domain/collaboration/records/external-ids.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { ownerWrites } from '#shared/domain/crm/contacts/owners.ts';
import { postingOf } from '#shared/domain/mail/last-mail/stored.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { AnyItem } from '#shared/table/table.ts';
import type { Around } from './around.ts';

/** What mail and employments leave beside a contact: who has its address, when it last wrote, its rows under others. */

const DAY = 86_400_000;
/** People who wrote within 14 days. */
const RECENT = 500;

/** Every second contact had mail, in some two years; up to 500 of them lately. */
function lastMailOf(number: number, { rows, now }: { rows: number; now: number }): number | undefined {
  if (number % 2 === 1) return undefined;
  const every = 2 * Math.max(1, Math.ceil(rows / RECENT / 2));
  const days = number % every === 0 ? (13 * number) / rows : 15 + (700 * number) / rows;
  return now - Math.round(days * DAY) - number;
}

/** Who has the addresses, as the service looks it up. */
export function holderOf({
  account_id,
  id,
  name,
  user_id,
  email_addresses,
  employments,
}: Contact): AnyItem[] {
  const shows = employments.flatMap(({ organization }) => organization?.id ?? []);
  const holder = { name, visibility: 'account', user_id, ...(shows.length > 0 ? { shows } : {}) };
  return email_addresses.map(({ email_address }) => ({
    ...keys.emailAddress(account_id, email_address),
    address: email_address,
    holders: { [id]: holder },
  }));
}

type Identified = Parameters<ExternalIds['change']>[1];

/** Who has the id of another system. */
export const externalIdItems = (type: RecordType, record: Identified): AnyItem[] =>
  new ExternalIds(type)
    .change(undefined, record)
    .flatMap((write) => ('put' in write ? [write.put as AnyItem] : []));

export function metItems(
  contact: Contact,
  { mailbox_id }: Around,
  number: number,
  world: { rows: number; now: number },
): AnyItem[] {
  const rows = ownerWrites(undefined, contact).flatMap((write) => ('put' in write ? [write.put] : []));
  const [address] = contact.email_addresses;
  const moment = lastMailOf(number, world);
  if (!address || moment === undefined) return [...rows, ...holderOf(contact)];
  const { email_address } = address;
  return [
    ...rows,
    ...holderOf(contact),
    { ...keys.lastMail(contact.account_id, email_address), email_address, [mailbox_id]: moment },
    postingOf(mailbox_id, moment, email_address),
  ];
}
