import type { Thread, ThreadEntry } from '../../shared/domain/threads/thread.ts';
import { newId } from '../../shared/ids.ts';
import { keys, lists, timeRank } from '../../shared/table/keys.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** A thread written as an import would leave it, for tests that are about something else. */
export interface GivenThread {
  id: string;
  mailbox_id: string;
}

type Draft = { users: TestUser[]; subject?: string };

function entryOf(user: TestUser, thread: Thread, subject: string, sent: number): ThreadEntry {
  const moment = new Date(sent).toISOString();
  return {
    ...keys.threadEntry(user.user.id, thread.id),
    thread_id: thread.id,
    account_id: thread.account_id,
    user_id: user.user.id,
    list: lists.threads(user.user.id),
    rank: `${timeRank(sent)}#${thread.id}`,
    inbox_rank: `${timeRank(sent)}#${thread.id}`,
    unread: 1,
    version: 1,
    subject,
    snippet: 'Hello',
    message_count: 1,
    received_count: 1,
    has_attachments: false,
    mailbox_ids: [...thread.mailbox_ids],
    first_sent_at: moment,
    last_sent_at: moment,
    inbox_sort_time: moment,
    participant_names: {},
  };
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
    base_subject: subject.toLowerCase(),
    version: 1,
    mailbox_ids: new Set([mailbox_id]),
    owner_ids: new Set([users[0]?.user.id ?? '']),
    addresses: new Set(['ada@acme.example']),
  };
  await table.put(thread);
  for (const [i, user] of users.entries()) {
    await table.put(entryOf(user, thread, subject, now.getTime()));
    await table.update(keys.user(account_id, user.user.id), {
      update: 'SET mailboxes.#id = :access',
      names: { '#id': mailbox_id },
      values: { ':access': i === 0 ? 'owner' : 'view' },
    });
  }
  return { id, mailbox_id };
}

/** Takes the mailbox of the thread away from the user, as when a share ends. */
export async function hideThread(workspace: Workspace, thread: GivenThread, user: TestUser): Promise<void> {
  await workspace.table.update(keys.user(user.user.account_id, user.user.id), {
    update: 'REMOVE mailboxes.#id',
    names: { '#id': thread.mailbox_id },
  });
}
