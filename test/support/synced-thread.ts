import type { User } from '#shared/domain/identity/users/user.ts';
import { type LabelJob, owedLabels } from '#shared/domain/mail/label-sync/job.ts';
import type { Labels } from '#shared/domain/mail/label-sync/labels.ts';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { hashOfId } from '#shared/domain/mail/mime/identity.ts';
import { sealedServer } from '#shared/domain/mail/servers/login.ts';
import {
  type Message,
  mailboxesOf,
  type Thread,
  type ThreadEntry,
} from '#shared/domain/mail/threads/thread.ts';
import { enqueue, type Job } from '#shared/domain/platform/jobs/job.ts';
import { idFrom, newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { openJobs } from './jobs.ts';
import { INBOX, serve } from './mail-server.ts';
import { entryOf } from './threads.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Threads whose flags and read marks are sent to a mail server, with only the items that the job reads. */

/** A mailbox of the user with label_sync on; its id. */
export async function givenSyncedMailbox(
  { table, account_id, ctx }: Workspace,
  { user }: TestUser,
): Promise<string> {
  const { id: user_id, email_address, name } = user;
  const draft = { account_id, user_id, email_address, name, label_sync: true };
  const { id } = await createMailbox(table, draft, new Date());
  const imap = { host: 'imap.acme.example', port: 993, tls: true, username: id, password: 'secret' };
  const mail_server = { imap: sealedServer(ctx.config, id, 'imap', imap), smtp: null, oauth: null };
  await table.update<Mailbox>(keys.mailbox(account_id, id), { set: { mail_server } });
  await table.put({ ...keys.mailFolder(id, folderOf(id)), id: folderOf(id), path: INBOX.path });
  return id;
}

const folderOf = (mailbox_id: string) => idFrom('inbox', mailbox_id);

type Place = Pick<Workspace, 'table' | 'account_id'>;

type Messages = Pick<Message, 'id' | 'rfc_id' | 'mailbox_ids'>;

/** Copies of these messages in the inboxes of the mailboxes that they reached. */
export async function giveCopies(table: Table, messages: Messages[]): Promise<void> {
  for (const message of messages)
    for (const mailbox_id of mailboxesOf(message)) {
      const [folder_id, uid] = [folderOf(mailbox_id), serve(mailbox_id, message.rfc_id)];
      const { uidvalidity } = INBOX;
      const copy = { mailbox_id, folder_id, uidvalidity, uid, outcome: 'imported', message_id: message.id };
      const marks = { id_hash: hashOfId(message.rfc_id), seen: false, flagged: false };
      for (const key of [
        keys.mailCopy(folder_id, uidvalidity, uid),
        keys.mailCopyOf(mailbox_id, message.id, folder_id, uidvalidity, uid),
      ])
        await table.put({ ...key, ...copy, ...marks });
    }
}

/** Messages in a thread, one for each list of mailboxes that it reached: `1@x`, `2@x`. */
export async function givenMessages(
  { table, account_id }: Place,
  thread_id: string,
  reached: string[][],
): Promise<void> {
  for (const [i, mailbox_ids] of reached.entries()) {
    const id = newId(new Date());
    const people = { from: null, to: [], cc: [], bcc: [] };
    const message = { id, thread_id, rfc_id: `${i + 1}@x`, ...people, attachments: [] };
    // DynamoDB accepts no empty sets.
    const reaching = mailbox_ids.length > 0 ? { mailbox_ids: new Set(mailbox_ids) } : {};
    await table.put({ ...keys.message(thread_id, i, id), ...message, ...reaching });
    await table.put({
      ...keys.messageId(account_id, hashOfId(message.rfc_id), id),
      ...{ message_id: id, thread_id, deliveries: {} },
    });
    await giveCopies(table, [{ ...message, ...reaching }]);
  }
}

/** A thread that is unread and not flagged; its id. */
export async function givenSyncedThread(
  { table, account_id }: Workspace,
  user: TestUser,
  reached: string[][],
): Promise<string> {
  const id = newId(new Date());
  const some = reached.flat().length > 0 ? { mailbox_ids: new Set(reached.flat()) } : {};
  const thread: Thread = { ...keys.record('threads', id), id, account_id, version: 1, ...some };
  await table.put(thread);
  await table.put(entryOf(user, thread, 'Synced', Date.now()));
  await givenMessages({ table, account_id }, id, reached);
  return id;
}

/** The user's marks as labels of mail servers. */
export async function stateOf(
  table: Table,
  { user }: TestUser,
  thread_id: string,
): Promise<Required<Labels>> {
  const entry = await table.get<ThreadEntry>(keys.threadEntry(user.id, thread_id));
  return { read: entry?.unread === undefined, flagged: entry?.flagged !== undefined };
}

/** Changes the user's marks, with the job in the same transaction. */
export async function changeLabels(
  { table, ctx, account_id }: Workspace,
  { user: { id } }: TestUser,
  thread_id: string,
  labels: Labels,
): Promise<Job | undefined> {
  const [entry, user] = await Promise.all([
    table.get<ThreadEntry>(keys.threadEntry(id, thread_id)),
    table.get<User>(keys.user(account_id, id)),
  ]);
  if (!entry || !user) throw new Error('The user does not see the thread');
  const { unread: _unread, flagged: _flagged, ...rest } = entry;
  const wanted = { ...(await stateOf(table, { user } as TestUser, thread_id)), ...labels };
  const after = {
    ...(wanted.read ? {} : { unread: 1 as const }),
    ...(wanted.flagged ? { flagged: 1 as const } : {}),
  };
  const owed = owedLabels(user, entry, after, ctx.now);
  const next = { ...rest, ...after, revision: entry.revision + 1 } as ThreadEntry;
  await table.transact([{ put: next }, ...(owed ? [enqueue(owed)] : [])]);
  return owed;
}

/** The jobs of the queue `sync-labels` that are not done. */
export const openLabelJobs = (table: Table) => openJobs<LabelJob>(table, 'sync-labels');
