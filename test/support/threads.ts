import type { User } from '#shared/domain/identity/users/user.ts';
import { nextEntry } from '#shared/domain/mail/threads/entry.ts';
import { writeEntry, writeView } from '#shared/domain/mail/threads/lists/write-entry.ts';
import {
  type MailboxView,
  mailboxesOf,
  type Thread,
  type ThreadEntry,
} from '#shared/domain/mail/threads/thread.ts';
import { newId } from '#shared/ids.ts';
import { keys, timeRank } from '#shared/table/keys.ts';
import { at, type Table } from '#shared/table/table.ts';
import { putAtOnce } from './seeding.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** A thread as an import leaves it, for tests of something else. */
export interface GivenThread {
  id: string;
  mailbox_id: string;
}

type Draft = { users: TestUser[]; subject?: string };

/** Unread, as the user sees it who received one message. */
export function entryOf(user: TestUser, thread: Thread, subject: string, sent: number): ThreadEntry {
  const moment = new Date(sent).toISOString();
  const rank = `${timeRank(sent)}#${thread.id}`;
  const values = {
    thread_id: thread.id,
    account_id: thread.account_id,
    user_id: user.user.id,
    rank,
    inbox_rank: rank,
    version: 1,
    subject,
    snippet: 'Hello',
    message_count: 1,
    received_count: 1,
    has_attachments: false,
    category: null,
    unreplied: true,
    mailbox_ids: [...mailboxesOf(thread)],
    shared_with: [],
    first_sent_at: moment,
    last_sent_at: moment,
    inbox_sort_time: moment,
    sender_email_addresses: [],
    participant_names: {},
    participant_count: 0,
  };
  return nextEntry(undefined, values, { unread: 1 });
}

/** What the mailbox has of a thread of which somebody sees all that is there, and no more. */
export function viewOf(entry: ThreadEntry): MailboxView {
  const { thread_id, account_id, rank, version, subject, snippet, mailbox_ids } = entry;
  const mailbox_id = mailbox_ids[0] as string;
  const { sender_email_addresses, participant_names } = entry;
  return {
    ...keys.mailboxView(thread_id, mailbox_id),
    ...{ thread_id, account_id, mailbox_id, version, rank, revision: 1 },
    ...{ subject, snippet, sender_email_addresses, participant_names },
  };
}

/** A thread of one mailbox in the lists of the mailbox, and of a user. */
export async function writeListed(table: Table, entry: ThreadEntry): Promise<void> {
  await writeView(table, undefined, viewOf(entry));
  await writeEntry(table, undefined, entry, []);
}

/** One mailbox, which the first user owns and the others may read, with one thread in it that all of them see. */
export async function givenThread(
  workspace: Workspace,
  { users, subject = 'Ferry times' }: Draft,
): Promise<GivenThread> {
  const { table } = workspace;
  const now = new Date();
  const [id, mailbox_id] = [newId(now), newId(now)];
  const account_id = users[0]?.user.account_id ?? workspace.account_id;
  const thread: Thread = {
    ...keys.record('threads', id),
    id,
    account_id,
    version: 1,
    mailbox_ids: new Set([mailbox_id]),
    owner_ids: new Set([users[0]?.user.id ?? '']),
    shares: {},
  };
  const owner = users[0]?.user;
  await putAtOnce(table, async (gathering) => {
    await gathering.put(thread);
    await gathering.put({
      ...keys.mailbox(account_id, mailbox_id),
      id: mailbox_id,
      account_id,
      user_id: owner?.id,
      email_address: owner?.email_address,
      name: 'Berths',
      aliases: [],
      provider: 'import',
      status: 'active',
      label_sync: false,
      shares: {},
      messages_imported: 0,
      messages_failed: 0,
      created_at: now.toISOString(),
      updated_at: null,
    });
    const entries = users.map((user) => entryOf(user, thread, subject, now.getTime()));
    for (const entry of entries.slice(0, 1)) await writeView(gathering, undefined, viewOf(entry));
    for (const entry of entries) await writeEntry(gathering, undefined, entry, []);
  });
  const open = (user: TestUser, i: number) =>
    table.update<User>(keys.user(account_id, user.user.id), {
      set: { mailboxes: at(mailbox_id, i === 0 ? 'owner' : 'view'), indexed_mailboxes: at(mailbox_id, true) },
    });
  await Promise.all(users.map(open));
  return { id, mailbox_id };
}

/** Removes the user's access to the mailbox of the thread, as when a share ends. */
export async function hideThread(workspace: Workspace, thread: GivenThread, user: TestUser): Promise<void> {
  await workspace.table.update<User>(keys.user(user.user.account_id, user.user.id), {
    remove: [['mailboxes', thread.mailbox_id]],
  });
}
