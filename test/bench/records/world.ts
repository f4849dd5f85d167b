import { shareIdOf } from '#shared/domain/collaboration/shares/share.ts';
import { newTag } from '#shared/domain/collaboration/tags/create.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { newContact } from '#shared/domain/crm/contacts/create.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { AnyItem, Table } from '#shared/table/table.ts';
import type { SeededUser } from '../../../infra/local/seed.ts';
import { listedItems } from '../../support/listed.ts';
import { benchAccount } from '../account.ts';
import { type Random, randomOf } from '../threads/random.ts';
import { text } from '../threads/words.ts';
import { type Around, indexAround, valuesOf } from './around.ts';
import { externalIdItems, holderOf, metItems } from './met.ts';
import { createdAt, SPAN, writtenAt } from './spacing.ts';
import { writeAll } from './writing.ts';

/** An account with the wanted number of contacts, as Ada sees it; Grace hides a tenth of as many again. */

export interface RecordWorld {
  rows: number;
  items: number;
  now: number;
  account_id: string;
  /** The reader. */
  user_id: string;
  keys: SeededUser;
  /** Of one contact in a hundred, of half of them, of seven, and of two that are seldom together. */
  tags: Record<TagName, string>;
  /** Of the newest contact that has an employer. */
  email_address: string;
  contact_id: string;
  external_id: string;
  /** What the records are linked to; missing in a world without links. */
  around?: Around;
  /** Contacts of the first space, and as many others. */
  members: string[];
  others: string[];
}

const tagNames = ['hundredth', 'half', 'rare'] as const;
type TagName = (typeof tagNames)[number];

/** At least as many as fill a page, and some more. */
const FEWEST = 55;
const RARE = 7;

/** Words of names that are planted: as frequent as the tags. */
export const planted = { rare: 'xanthippe', hundredth: 'quillfeather', half: 'lee' };

function callerOf(account: Account, user: User): Caller {
  return { account, user, credential: { kind: 'api_key', tier: 'read_write', id: '' } };
}

export const capital = (word: string) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`;

/** Whether the contact of this number is one of a share, and of at least `FEWEST`, spread over all. */
export const among = (number: number, rows: number, share: number) => {
  const wanted = Math.min(rows, Math.max(FEWEST, Math.floor(rows * share)));
  return Math.floor((number * wanted) / rows) !== Math.floor(((number + 1) * wanted) / rows);
};

const isRare = (number: number, rows: number) =>
  number % Math.floor(rows / RARE) === 0 && number / Math.floor(rows / RARE) < RARE;

/** What is asked for and belongs to the record of this number: its words, or its tags. */
export const plantedIn = (of: Record<TagName, string>, number: number, rows: number): string[] => [
  ...(isRare(number, rows) ? [of.rare] : []),
  ...(among(number, rows, 0.01) ? [of.hundredth] : []),
  ...(number % 2 === 0 ? [of.half] : []),
];

interface Making {
  random: Random;
  rows: number;
  now: number;
  owners: Caller[];
  tags: Record<TagName, string>;
  around: Around | undefined;
}

const MEMBERS = 110;

/** Whether the contact of this number is in the first space. */
const isMember = (number: number, rows: number) => number % Math.max(2, Math.floor(rows / MEMBERS)) === 1;

/** A number like a random one (Knuth, The Art of Computer Programming, volume 3, 6.4). */
const spread = (number: number) => Math.imul(number, 2_654_435_761) >>> 0;

export const phoneOf = (number: number) => `+49301${String(number).padStart(7, '0')}`;

function employerOf({ around, rows }: Making, number: number): { id: string } | null {
  if (!around) return null;
  const [asked = '', ...employers] = around.employers;
  // Elsewhere than what is planted and shared.
  return {
    id: among((number + 7) % rows, rows, 0.01)
      ? asked
      : (employers[spread(number) % employers.length] as string),
  };
}

/** Spaces, values and an id of another system. */
function linksOf({ around, rows, owners, now }: Making, number: number): Partial<Contact> {
  if (!around) return {};
  const [space, ...spaces] = around.spaces;
  const added = {
    id: newId(new Date(now)),
    user_id: (owners[0] as Caller).user.id,
    created_at: new Date(now).toISOString(),
  };
  const into = [
    ...(isMember(number, rows) ? [space] : []),
    ...(number % 10 === 3 ? [spaces[number % spaces.length]] : []),
  ] as string[];
  return {
    ...(into.length > 0 ? { memberships: Object.fromEntries(into.map((each) => [each, added])) } : {}),
    custom_fields: valuesOf(number, among(number, rows, 0.01)),
    external_id: `contact-${number}`,
  };
}

/** The names have words as frequent as those of mail are. */
function contactOf(making: Making, number: number): Contact {
  const { random, rows, now, owners, tags } = making;
  const owner = owners[among(number, rows, 0.3) ? 0 : 1] as Caller;
  const [first = 'a', last = 'b', company = 'c'] = text(random, 3).split(' ');
  const name = [capital(first), ...plantedIn(planted, number, rows), capital(last)].join(' ');
  const email_addresses = [{ email_address: `${first}.${last}${number}@${company}.example` }];
  const phone_numbers = [{ phone_number: phoneOf(number) }];
  const job = { title: 'Analyst', current: true, organization: employerOf(making, number) };
  const employments = among(number, rows, 0.1) ? [] : [job];
  const created = createdAt(number, { rows, now });
  const contact = newContact(owner, { name, email_addresses, phone_numbers, employments }, created);
  const tag_ids = plantedIn(tags, number, rows);
  return {
    ...contact,
    ...linksOf(making, number),
    updated_at: writtenAt(random, created, now).toISOString(),
    ...(tag_ids.length > 0 ? { tag_ids: new Set(tag_ids) } : {}),
  };
}

/** Private ones of the reader, shared ones, and those that the reader pinned. */
function withAccess(contact: Contact, number: number, rows: number, [ada, grace]: Caller[]): Contact {
  const reader = (ada as Caller).user.id;
  if (number % 90 === 0) return { ...contact, visibility: 'private', user_id: reader };
  if (among(number, rows, 0.005)) {
    const id = shareIdOf({ type: 'contacts', id: contact.id }, reader);
    const share = { id, user_id: reader, group_id: null, access: 'view' as const };
    const by = { shared_by_user_id: (grace as Caller).user.id, created_at: contact.created_at };
    return { ...contact, shares: { [id]: { ...share, ...by } } };
  }
  return number % Math.max(1, Math.floor(rows / 60)) === 1
    ? { ...contact, pinned_by: new Set([reader]) }
    : contact;
}

const plain = {
  color: null,
  description: null,
  applicable_to_contacts: null,
  applicable_to_interactions: null,
};

export interface Wanted {
  rows: number;
  now: Date;
  progress: (done: number) => void;
  /** The account and its two users, when they exist. */
  of?: Awaited<ReturnType<typeof benchAccount>>;
  around?: Around;
  /** Items that are written with a contact. */
  beside?: (contact: Contact) => AnyItem[];
}

export async function givenRecords(
  table: Table,
  { rows, now, progress, of, around, beside = () => [] }: Wanted,
): Promise<RecordWorld> {
  const { account_id, users } = of ?? (await benchAccount(table, now));
  const account = await table.update<Account>(keys.account(account_id), {
    set: { created_at: new Date(now.getTime() - SPAN).toISOString() },
  });
  const owners = users.map(({ user }) => callerOf(account, user));
  const stored = tagNames.map((name) => newTag(account_id, { ...plain, name }, now));
  await table.writeMany(stored.map((tag) => ({ put: tag })));
  const tags = Object.fromEntries(stored.map(({ name, id }) => [name, id])) as Record<TagName, string>;
  const making: Making = { random: randomOf(rows), rows, now: now.getTime(), owners, tags, around };
  const index = indexAround(contactIndex, around);
  const [members, others]: [string[], string[]] = [[], []];
  let last: Contact | undefined;
  async function* batches() {
    for (let number = 0; number < rows; number++) {
      const contact = withAccess(contactOf(making, number), number, rows, owners);
      if (contact.employments.length > 0) last = contact;
      const some = isMember(number, rows) ? members : others;
      if (some.length < MEMBERS && contact.visibility === 'account') some.push(contact.id);
      const met = around ? metItems(contact, around, number, { rows, now: making.now }) : [];
      yield [...(await listedItems(table, index, contact)), ...met, ...beside(contact)];
      if (number % 1_000 === 0) progress(number);
    }
    for (let number = 0; number < rows / 10; number++) {
      const hidden = { ...contactOf(making, number), visibility: 'private' as const };
      yield await listedItems(table, index, { ...hidden, user_id: (owners[1] as Caller).user.id });
    }
    if (last) yield around ? externalIdItems('contacts', last) : holderOf(last);
  }
  const items = await writeAll(table, batches());
  return {
    rows,
    items,
    now: now.getTime(),
    account_id,
    user_id: (owners[0] as Caller).user.id,
    keys: users[0] as SeededUser,
    tags,
    email_address: last?.email_addresses[0]?.email_address ?? '',
    contact_id: last?.id ?? '',
    external_id: last?.external_id ?? '',
    ...(around ? { around } : {}),
    ...{ members, others },
  };
}
