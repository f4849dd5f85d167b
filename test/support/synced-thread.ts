import type { User } from '#shared/domain/identity/users/user.ts';
import { type LabelJob, owedLabels } from '#shared/domain/mail/label-sync/job.ts';
import type { Labels } from '#shared/domain/mail/label-sync/provider.ts';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import type { ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { enqueue, type Job } from '#shared/domain/platform/jobs/job.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { openJobs } from './jobs.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Threads whose flags and read marks are sent to a mail server, with only the items that the job reads. */

/** A mailbox of the user with label_sync on; its id. */
export async function givenSyncedMailbox(
  { table, account_id }: Workspace,
  { user }: TestUser,
): Promise<string> {
  const { id: user_id, email_address, name } = user;
  const draft = { account_id, user_id, email_address, name, label_sync: true };
  return (await createMailbox(table, draft, new Date())).id;
}

/** Messages in a thread, one for each list of mailboxes that it reached: `1@x`, `2@x`. */
export async function givenMessages(table: Table, thread_id: string, reached: string[][]): Promise<void> {
  for (const [i, mailbox_ids] of reached.entries()) {
    const id = newId(new Date());
    const message = { id, thread_id, rfc_id: `${i + 1}@x`, mailbox_ids: new Set(mailbox_ids) };
    await table.put({ ...keys.message(thread_id, i, id), ...message });
  }
}

/** A thread that is unread and not flagged; its id. */
export async function givenSyncedThread(
  { table, account_id }: Workspace,
  { user }: TestUser,
  reached: string[][],
): Promise<string> {
  const id = newId(new Date());
  await table.put({ ...keys.record('threads', id), id, account_id });
  const mailbox_ids = [...new Set(reached.flat())];
  await table.put({ ...keys.threadEntry(user.id, id), thread_id: id, mailbox_ids, unread: 1 });
  await givenMessages(table, id, reached);
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
  await table.transact([{ put: { ...rest, ...after } as ThreadEntry }, ...(owed ? [enqueue(owed)] : [])]);
  return owed;
}

/** The jobs of the queue `sync-labels` that are not done. */
export const openLabelJobs = (table: Table) => openJobs<LabelJob>(table, 'sync-labels');
