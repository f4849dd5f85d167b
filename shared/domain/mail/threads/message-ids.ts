import { hashOfId } from '#shared/domain/mail/mime/identity.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { type Item, mustNotExist, type Table, type Write, when } from '#shared/table/table.ts';
import type { Message } from './thread.ts';

/**
 * Messages by the Message-IDs that they claim and name. The partition of an id contains every message that has it,
 * every message that names it as an ancestor's and would follow it, and where messages meet that wait for it.
 */

/** A message that has the id. */
export type IdRow = Item & {
  message_id: string;
  thread_id: string;
  /** Its send time in milliseconds, a part of its key. */
  sent: number;
  /** Missing when it left all of them. */
  mailbox_ids?: Set<string>;
  /** Those that it left. */
  left?: Set<string>;
  /** Its content is gone: it is not delivered again, but as another message. */
  purged?: true;
  /** The mailboxes that have it, with the source of each delivery. */
  deliveries: Record<string, string>;
  /** When each mailbox received it, also those that it left. Missing of messages from before it was kept. */
  received_in?: Record<string, number>;
  /** Where answers go, by mailbox: no digest has it, so each has its own. Missing of messages from before it was kept. */
  reply_to?: Record<string, string[]>;
  /** The bytes that reached each mailbox: its id and a digest. */
  bytes?: Set<string>;
  /** The same for all messages that may be copies of one message which a list changed. */
  copies: string;
};

/** A message that names the id, with the hash of its own id; `subject` is the hash of its base subject. */
export type ReferrerRow = Item & { message_id: string; id_hash: string; subject: string };

export type AwaitedRow = Item & { thread_id: string; mailbox_id: string };

/** Everything known of one id. */
export interface KnownId {
  messages: IdRow[];
  referrers: ReferrerRow[];
  awaited: AwaitedRow[];
}

/** Rows read of one id: anybody may claim or name an id in any number of mails. */
const MAX_ROWS = 5_000;
/** Messages with one id that are read for a mailbox. */
const MAX_CLAIMS = 100;

/** All rows of an id, or those of one kind, up to a limit. */
export async function readRows(
  table: Table,
  account: string,
  hash: string,
  kind?: 'MESSAGE#',
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of table.pages(keys.messageId(account, hash, '').PK, kind)) {
    items.push(...page);
    if (items.length >= MAX_ROWS) break;
  }
  return items;
}

/** Everything known of a message's id, first the row of the message itself, if any. `read` are rows read before. */
export async function readId(
  table: Table,
  account: string,
  { id, id_hash }: Message,
  read?: Item[],
): Promise<KnownId> {
  const own = keys.messageId(account, id_hash, id);
  const items = read ?? (await readRows(table, account, id_hash));
  const found = items.find(({ SK }) => SK === own.SK) ?? (await beyond(table, own, items.length));
  const of = (kind: string) => items.filter((item) => item.SK.startsWith(kind) && item !== found);
  return {
    messages: [...(found ? [found] : []), ...of('MESSAGE#')] as IdRow[],
    referrers: of('REFERRER#') as ReferrerRow[],
    awaited: of('AWAITED#') as AwaitedRow[],
  };
}

const beyond = async (table: Table, own: Key, read: number) =>
  read >= MAX_ROWS ? table.get<Item>(own) : undefined;

const hasReached = ({ mailbox_ids, left }: IdRow, mailbox_id: string) =>
  mailbox_ids?.has(mailbox_id) || left?.has(mailbox_id);

const receivedIn = ({ received_in = {} }: IdRow, mailbox_id: string) =>
  received_in[mailbox_id] ?? Math.min(...Object.values(received_in));

/**
 * Of the messages that claim an id, those that count for a mailbox: its own before others, and of each the first that were
 * received. Who forges a Message-ID has read it and comes later, so forgeries hide no genuine mail.
 */
export function firstOf(rows: IdRow[], mailbox_id: string): IdRow[] {
  const own = (row: IdRow) => (hasReached(row, mailbox_id) ? 0 : 1);
  const moment = (row: IdRow) => (row.received_in ? receivedIn(row, mailbox_id) : 0);
  return rows.toSorted((a, b) => own(a) - own(b) || moment(a) - moment(b)).slice(0, MAX_CLAIMS);
}

export async function messagesWithId(
  table: Table,
  account: string,
  hash: string,
  mailbox_id: string,
): Promise<IdRow[]> {
  return firstOf((await readRows(table, account, hash, 'MESSAGE#')) as IdRow[], mailbox_id);
}

const keyOfMessage = ({ thread_id, sent, message_id }: IdRow) => keys.message(thread_id, sent, message_id);

/** How a mailbox's delivery of these bytes is noted. */
export const bytesOf = (mailbox_id: string, digest: string) => `${mailbox_id}#${digest}`;

export const isBytesOf = (mailbox_id: string, bytes: string) => bytes.startsWith(`${mailbox_id}#`);

/** The message that these bytes are in this mailbox, and what delivered them; undefined when they did not reach it. */
export function deliveryOfBytes(
  rows: Item[],
  mailbox_id: string,
  digest: string,
): { message_id: string; source: string } | undefined {
  const delivered = (rows as IdRow[]).find(({ bytes }) => bytes?.has(bytesOf(mailbox_id, digest)));
  const source = delivered?.deliveries[mailbox_id];
  return delivered && source !== undefined ? { message_id: delivered.message_id, source } : undefined;
}

/** The messages that are still where these rows say. */
export function readMessages(table: Table, rows: IdRow[]): Promise<Message[]> {
  return table.getMany<Message>(rows.map(keyOfMessage));
}

/** The rows of the messages that name an id, by their own ids. */
export function rowsOfReferrers(table: Table, account: string, referrers: ReferrerRow[]): Promise<IdRow[]> {
  return table.getMany<IdRow>(
    referrers.map(({ id_hash, message_id }) => keys.messageId(account, id_hash, message_id)),
  );
}

export function referrerWrite(account: string, hash: string, { id, id_hash, base_subject }: Message): Write {
  const subject = hashOfId(base_subject);
  return {
    put: { ...keys.referrer(account, hash, id), message_id: id, id_hash, subject } satisfies ReferrerRow,
  };
}

/** Fails when the meeting place changed since it was read. */
export function awaitedWrite(
  account: string,
  hash: string,
  mailbox_id: string,
  thread_id: string,
  before: string | undefined,
): Write {
  return {
    put: { ...keys.awaited(account, hash, mailbox_id), thread_id, mailbox_id },
    when: before === undefined ? mustNotExist : when<AwaitedRow>({ thread_id: before }),
  };
}

/** Only messages with the same value may be copies of each other. */
export function copiesOf({ from, sent, base_subject }: Message): string {
  return hashOfId(JSON.stringify([from?.email_address ?? null, sent, base_subject]));
}
