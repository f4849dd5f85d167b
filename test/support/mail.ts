import type { User } from '#shared/domain/identity/users/user.ts';
import { readMessages } from '#shared/domain/mail/archives/archive.ts';
import { finishBatch } from '#shared/domain/mail/arriving/finish.ts';
import { targetOf } from '#shared/domain/mail/arriving/target.ts';
import { Chunk } from '#shared/domain/mail/imports/chunk.ts';
import { importEntry } from '#shared/domain/mail/imports/entry.ts';
import { FinishedDeliveries } from '#shared/domain/mail/imports/finished.ts';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import { type ContactCreation, creationOf, type Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { nextEntry, stateOf } from '#shared/domain/mail/threads/entry.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import type { EntryState, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { idFrom, newId } from '#shared/ids.ts';
import { keys, timeRank } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { type ImportCounts, importArchive } from '../../infra/scripts/import-archive.ts';
import { toMbox } from '../../infra/scripts/mbox-writer.ts';
import { sourceOf } from '../domain/mail/archives/archive-source.ts';
import { writeListed } from './threads.ts';
import type { ApiClient, TestUser, Workspace } from './workspace.ts';

/** Mail for tests: plain messages, mailboxes, and the round trip of an import. */

export interface Draft {
  /** Message-ID without brackets; null for none. */
  id: string | null;
  from?: string | null;
  to?: string;
  cc?: string;
  subject?: string;
  /** Null for no Date header. */
  date?: string | null;
  references?: string[];
  in_reply_to?: string;
  text?: string;
  /** Header lines besides those above. */
  headers?: string[];
}

export function eml(draft: Draft): Buffer {
  const lines = [
    draft.id === null ? '' : `Message-ID: <${draft.id}>`,
    draft.from === null ? '' : `From: ${draft.from ?? 'Priya <priya@ferries.example>'}`,
    `To: ${draft.to ?? 'ada@acme.example'}`,
    draft.cc ? `Cc: ${draft.cc}` : '',
    draft.date === null ? '' : `Date: ${draft.date ?? 'Mon, 02 Nov 2026 10:00:00 +0000'}`,
    draft.subject === undefined ? '' : `Subject: ${draft.subject}`,
    draft.in_reply_to ? `In-Reply-To: <${draft.in_reply_to}>` : '',
    draft.references ? `References: ${draft.references.map((id) => `<${id}>`).join(' ')}` : '',
    ...(draft.headers ?? ['Content-Type: text/plain; charset=utf-8']),
  ].filter((line) => line !== '');
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${draft.text ?? 'Hello.'}\r\n`);
}

/** A mailbox of the user; its id. Its mail makes no contacts unless the test is about them. */
export async function givenMailbox(
  workspace: Workspace,
  { user }: TestUser,
  account_id = workspace.account_id,
  contact_creation: ContactCreation = 'none',
): Promise<string> {
  const draft = {
    account_id,
    user_id: user.id,
    email_address: user.email_address,
    name: user.name,
    contact_creation,
  };
  return (await createMailbox(workspace.table, draft, new Date())).id;
}

/** Uploaded and imported through the API and the queue, as a client does it. */
export function importThroughApi(
  workspace: Workspace,
  owner: TestUser,
  mailbox_id: string,
  bytes: Buffer,
  content_type = 'application/mbox',
): Promise<ImportCounts> {
  const target = { base_url: workspace.url, key: owner.write_key, mailbox_id };
  return importArchive(target, { file_name: 'archive', content_type, bytes });
}

/**
 * Does with messages what an import does, in half the calls to the table: without requests, waiting and the records of
 * the import. For tests of the imported mail: everything is done when this resolves.
 */
export async function importMail(
  { ctx, table }: Workspace,
  { user: { account_id } }: TestUser,
  mailbox_id: string,
  mail: Buffer[],
) {
  const members = await membersOf(table, account_id);
  const mailbox = members.mailboxes.find(({ id }) => id === mailbox_id) as Mailbox;
  const creation = creationOf(mailbox);
  const finished = new FinishedDeliveries(table, creation);
  const target = targetOf(ctx, members, mailbox, { creation, finished });
  const id = newId(ctx.now);
  const beginning = { offset: 0, ordinal: 0 };
  const chunk = new Chunk(beginning, members.users.length);
  for await (const entry of readMessages(sourceOf(toMbox(mail), 'archive', 64 * 1024), beginning))
    await chunk.add(entry, () => importEntry(target, { id }, entry));
  await finishBatch(ctx, target, chunk);
  const { imported, skipped, failed } = chunk.progress;
  return { messages_imported: imported, messages_skipped: skipped, messages_failed: failed };
}

export function importMailThroughApi(
  workspace: Workspace,
  owner: TestUser,
  mailbox_id: string,
  mail: Buffer[],
) {
  return importThroughApi(workspace, owner, mailbox_id, toMbox(mail));
}

/** All pages of the thread list. */
export async function listAllThreads(api: ApiClient, query: Record<string, string | boolean> = {}) {
  const found: Awaited<ReturnType<ApiClient['listThreads']>>['body']['collection']['records'] = [];
  for (let next_cursor: string | null | undefined; next_cursor !== null; ) {
    const { body } = await api.listThreads({ query: { ...query, ...(next_cursor ? { next_cursor } : {}) } });
    found.push(...body.collection.records);
    next_cursor = body.collection.page_info.next_cursor;
  }
  return found;
}

/** A thread written straight into the table, for large mailboxes. `number` decides its place in the list. */
export async function givenEntry(
  table: Table,
  user: User,
  given: Partial<ThreadEntry> & { number: number; mailbox_ids: string[] },
): Promise<void> {
  const { number, unread, flagged, resolved, ...values } = given;
  const thread_id = idFrom('entry', user.id, String(number));
  const sent = Date.UTC(2026, 0, 1) + number * 60_000;
  const sent_at = new Date(sent).toISOString();
  const rank = `${timeRank(sent)}#${thread_id}`;
  const entry = {
    thread_id,
    account_id: user.account_id,
    user_id: user.id,
    rank,
    inbox_rank: rank,
    version: 1,
    subject: null,
    snippet: 'Row',
    message_count: 1,
    received_count: 1,
    has_attachments: false,
    category: null,
    unreplied: true,
    shared_with: [],
    first_sent_at: sent_at,
    last_sent_at: sent_at,
    inbox_sort_time: sent_at,
    sender_email_addresses: [],
    participant_names: {},
    participant_count: 0,
    ...values,
  };
  const state = { unread, flagged, resolved };
  await table.put({
    ...keys.record('threads', thread_id),
    id: thread_id,
    account_id: user.account_id,
    version: 1,
    mailbox_ids: new Set(given.mailbox_ids),
    shares: {},
  });
  await writeListed(table, nextEntry(undefined, entry, stateOf(state as EntryState)));
}
