import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { Caller } from '../caller.ts';
import type { RecordKind, VisibleRecord } from '../records/kind.ts';
import type { User } from '../users/user.ts';
import type { Thread, ThreadEntry } from './thread.ts';
import { canSeeMailboxes, findEntry } from './visibility.ts';

/** Threads as commentable, taggable records. */
export const threadKind: RecordKind = {
  async load(table: Table, caller: Caller, id: string): Promise<VisibleRecord | undefined> {
    const read = (thread: string) => table.get<Thread>(keys.record('threads', thread));
    const [entry, own] = await Promise.all([findEntry(table, caller, id), read(id)]);
    // An id that was merged away leads to another thread.
    const thread = entry && (entry.thread_id === id ? own : await read(entry.thread_id));
    if (!thread) return undefined;
    return {
      type: 'threads',
      id: entry.thread_id,
      label: { subject: entry.subject },
      owner_ids: [...thread.owner_ids],
      tag_ids: [...(thread.tag_ids ?? [])],
    };
  },

  async seenBy(table: Table, id: string, users: User[]): Promise<User[]> {
    const entries = await table.getMany<ThreadEntry>(users.map((user) => keys.threadEntry(user.id, id)));
    const byUser = new Map(entries.map((entry) => [entry.user_id, entry]));
    return users.filter((user) => canSeeMailboxes(user, byUser.get(user.id)?.mailbox_ids ?? []));
  },
};
