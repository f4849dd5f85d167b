import { gzipSync } from 'node:zlib';
import { recordLists } from '#shared/composition/record-lists.ts';
import { contextOf } from '#shared/context.ts';
import type { HeldValue } from '#shared/domain/collaboration/records/holders.ts';
import { newTag } from '#shared/domain/collaboration/tags/create.ts';
import { createContact } from '#shared/domain/crm/contacts/create.ts';
import { changePin } from '#shared/domain/crm/contacts/pin.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import type { ParsedBody } from '#shared/domain/mail/mime/message.ts';
import { statePostings, termPostings, wordPostings } from '#shared/domain/mail/threads/lists/postings.ts';
import type { Message } from '#shared/domain/mail/threads/thread.ts';
import { newId } from '#shared/ids.ts';
import { getServices } from '#shared/services.ts';
import { keys, type ThreadOwner } from '#shared/table/keys.ts';
import type { AnyItem, BatchWrite, Table } from '#shared/table/table.ts';
import type { SeededUser } from '../../../infra/local/seed.ts';
import { benchAccount } from '../account.ts';
import { batchSize } from '../bulk-table.ts';
import { planted, type TagName, tagNames } from './chosen.ts';
import { type Generated, generate, type Rows } from './data.ts';
import { ADDRESSES, addressAt } from './mail.ts';
import { Texts } from './texts.ts';

/** An account of two users, one of whom has the wanted number of threads. */

export interface ThreadWorld {
  rows: number;
  /** Written for the threads. */
  items: number;
  /** Milliseconds. */
  now: number;
  caller: Caller;
  keys: SeededUser;
  /** The user and the colleague. */
  members: [SeededUser, SeededUser];
  colleague: User;
  mailbox_ids: string[];
  tags: Record<TagName, string>;
  contact_id: string;
  /** Records that threads belong to: the rows of their families are written. */
  organization_id: string;
  space_id: string;
  tagged_space_id: string;
  /** The newest, which have messages. */
  thread_ids: string[];
}

export interface Wanted {
  rows: number;
  now: Date;
  words?: Rows['words'];
  /** Whether messages are found by their whole text. */
  texts?: boolean;
  progress?: (done: number) => void;
}

/** The threads with messages: they are retrieved, changed or shared. */
const WITH_MESSAGES = 400;
/** Batches at the same time: DynamoDB Local refuses to queue many writes. */
const AT_ONCE = 2;

const body: ParsedBody = {
  source_format: 'plain',
  sanitized_html: null,
  new_plain_text: 'Pier 4 is free on Thursday. Shall I keep it for you?\n'.repeat(20),
  new_html: null,
  quoted_plain_text: null,
  quoted_html: null,
  has_quote_header: false,
  truncated: false,
};
const compressed = gzipSync(JSON.stringify(body));

function* messageItems(messages: Message[]): Generator<AnyItem> {
  for (const message of messages) {
    yield message;
    yield { ...keys.body(message.thread_id, message.id), message_id: message.id, compressed };
  }
}

function itemsOf(
  { thread, messages, views, entry }: Generated,
  number: number,
  texts: Texts | undefined,
): AnyItem[] {
  const newest = messages.at(-1) as Message;
  return [
    thread,
    entry,
    ...statePostings(entry),
    ...termPostings(entry, thread.tag_ids ?? []),
    ...views.flatMap((view) => [view, ...wordPostings(view.mailbox_id, view)]),
    ...(number < WITH_MESSAGES ? messageItems(messages) : []),
    ...(texts && number >= WITH_MESSAGES ? [newest] : []),
    ...(texts?.items(newest) ?? []),
  ];
}

async function writeThreads(
  table: Table,
  rows: Rows,
  { progress = () => {}, texts: wanted = false }: Pick<Wanted, 'progress' | 'texts'>,
) {
  const mailboxes = rows.mailboxes.map(({ id }) => id);
  const texts = wanted ? new Texts(table, mailboxes) : undefined;
  const thread_ids: string[] = [];
  const most = batchSize(table);
  let items = 0;
  const sending = new Set<Promise<void>>();
  let chunk: BatchWrite[] = [];
  let number = 0;
  const send = async () => {
    items += chunk.length;
    const writing = table.writeMany(chunk).finally(() => sending.delete(writing));
    sending.add(writing);
    chunk = [];
    if (sending.size >= AT_ONCE) await Promise.race(sending);
  };
  for (const generated of generate(rows)) {
    if (number < WITH_MESSAGES) thread_ids.push(generated.thread.id);
    chunk.push(...itemsOf(generated, number, texts).map((item) => ({ put: item })));
    number++;
    if (chunk.length >= most) await send();
    if (number % 1_000 === 0) progress(number);
    if (texts?.isDue) {
      await send();
      await Promise.all(sending);
      await texts.sort();
    }
  }
  await send();
  await Promise.all(sending);
  return { thread_ids, items };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => addressAt(from + i));

const ownerRows = (owner: ThreadOwner, id: string, addresses: string[]): BatchWrite[] =>
  addresses.map((address) => {
    const contact = { id, visibility: 'account', user_id: id };
    return { put: { ...keys.ownerRow(owner, id, address), contact, addresses: [address] } };
  });

/** Every fourth address is somebody's who is a contact. */
function holders({ account, user }: Caller, now: Date): BatchWrite[] {
  return range(0, ADDRESSES)
    .filter((_, i) => i % 4 === 0)
    .map((address) => {
      const holder = { name: 'Somebody Known', visibility: 'account' as const, user_id: user.id };
      const item: HeldValue = {
        ...keys.emailAddress(account.id, address),
        holders: { [newId(now)]: holder },
      };
      return { put: item };
    });
}

async function writeOwners(table: Table, world: Omit<ThreadWorld, 'thread_ids' | 'items'>): Promise<void> {
  const { organization_id, space_id, tagged_space_id, tags, caller } = world;
  const chosen_tag_ids = [tags.first, tags.second];
  const key = keys.taggedSpace(caller.account.id, tagged_space_id);
  const tagged = { ...key, space_id: tagged_space_id, chosen_tag_ids, tag_operator: 'any' };
  await table.writeMany([
    ...ownerRows('organizations', organization_id, [planted.organization_address, ...range(100, 119)]),
    ...ownerRows('spaces', space_id, [planted.organization_address, ...range(200, 211)]),
    { put: tagged },
  ]);
}

async function writeAccount(table: Table, now: Date) {
  const { account_id, users } = await benchAccount(table, now);
  const [ada, grace] = users as [SeededUser, SeededUser];
  const mailbox = ({ user }: SeededUser, name: string) =>
    createMailbox(table, { account_id, user_id: user.id, name, email_address: `${name}@acme.example` }, now);
  const mailboxes = [
    await mailbox(ada, 'ada'),
    await mailbox(ada, 'sales'),
    await mailbox(grace, 'grace'),
  ] as Rows['mailboxes'];
  const group_id = newId(now);
  const user = await table.update<User>(keys.user(account_id, ada.user.id), {
    set: { group_ids: new Set([group_id]) },
  });
  return { account_id, ada: { ...ada, user }, grace, mailboxes, group_id };
}

const plain = {
  color: null,
  description: null,
  applicable_to_contacts: null,
  applicable_to_interactions: null,
};

export async function givenThreads(table: Table, wanted: Wanted): Promise<ThreadWorld> {
  const { rows, now, words } = wanted;
  const { account_id, ada, grace, mailboxes, group_id } = await writeAccount(table, now);
  const account = await table.get<Caller['account']>(keys.account(account_id));
  if (!account) throw new Error('The account is missing');
  const credential = { kind: 'api_key' as const, tier: 'read_write' as const, id: '' };
  const caller: Caller = { account, user: ada.user, credential };
  const stored = tagNames.map((name) => newTag(account_id, { ...plain, name }, now));
  await table.writeMany(stored.map((tag) => ({ put: tag })));
  const tags = Object.fromEntries(stored.map((tag) => [tag.name, tag.id])) as Record<TagName, string>;
  const email_addresses = planted.contact_addresses.map((email_address) => ({ email_address }));
  const ctx = { ...contextOf(getServices(), recordLists), caller };
  const contact = await createContact(ctx, { name: 'Lee', email_addresses });
  await changePin(ctx, contact.id, true);
  const pinned = range(20, 48).map((email_address) => ({ email_address }));
  const another = await createContact(ctx, { name: 'Kim', email_addresses: pinned });
  await changePin(ctx, another.id, true);
  await table.writeMany(holders(caller, now));
  const world = {
    rows,
    now: now.getTime(),
    caller,
    keys: ada,
    members: [ada, grace] as ThreadWorld['members'],
    colleague: grace.user,
    mailbox_ids: mailboxes.map(({ id }) => id),
    tags,
    contact_id: contact.id,
    organization_id: newId(now),
    space_id: newId(now),
    tagged_space_id: newId(now),
  };
  await writeOwners(table, world);
  const given: Rows = {
    count: rows,
    user: ada.user,
    mailboxes,
    group_id,
    tags,
    now: now.getTime(),
    ...(words ? { words } : {}),
  };
  return { ...world, ...(await writeThreads(table, given, wanted)) };
}
