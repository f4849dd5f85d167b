import { createUpload } from '#shared/domain/collaboration/uploads/create.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { createImport } from '#shared/domain/mail/imports/create.ts';
import { type MailImport, presentImport } from '#shared/domain/mail/imports/import.ts';
import { runImport } from '#shared/domain/mail/imports/run.ts';
import { findImport, firstFailures } from '#shared/domain/mail/imports/store.ts';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { findMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { nextEntry, stateOf } from '#shared/domain/mail/threads/entry.ts';
import { writeEntry } from '#shared/domain/mail/threads/lists/write-entry.ts';
import type { EntryState, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { idFrom } from '#shared/ids.ts';
import { bucketOf, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys, timeRank } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { type ImportCounts, importArchive } from '../../infra/scripts/import-archive.ts';
import { toMbox } from '../../infra/scripts/mbox-writer.ts';
import { callerOf } from './callers.ts';
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

/** A mailbox of the user; its id. */
export async function givenMailbox(
  workspace: Workspace,
  { user }: TestUser,
  account_id = workspace.account_id,
): Promise<string> {
  const draft = {
    account_id,
    user_id: user.id,
    email_address: user.email_address,
    name: user.name,
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

/** The same import without requests and waiting, for tests of the imported mail: it is complete when this resolves. */
export async function importMail(
  workspace: Workspace,
  owner: TestUser,
  mailbox_id: string,
  mail: Buffer[],
): Promise<ImportCounts> {
  const { ctx, table } = workspace;
  const bytes = toMbox(mail);
  const caller = await callerOf(table, owner.user);
  // Without a queue no worker gets the message: the job runs here.
  const own = { ...ctx, caller, config: { ...ctx.config, queue_urls: {} } };
  const draft = { file_name: 'archive', content_type: 'application/mbox', size: bytes.length };
  const upload = await createUpload(own, draft);
  await bucketOf(ctx).put(objectKeys.upload(upload.id), bytes, draft.content_type);
  const mailbox = await findMailbox(own, mailbox_id);
  const { id } = await createImport(own, mailbox as Mailbox, upload);
  await runImport(ctx, id, () => false);
  const [done, failures] = await Promise.all([findImport(table, id), firstFailures(table, id)]);
  return presentImport(done as MailImport, failures);
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
  await writeEntry(table, undefined, nextEntry(undefined, entry, stateOf(state as EntryState)), []);
}
