import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { Caller } from '../caller.ts';
import type { RecordKind, VisibleRecord } from '../records/kind.ts';
import type { User } from '../users/user.ts';
import type { Thread } from './thread.ts';
import { findSeenThread, mayShow, seesThread } from './visibility.ts';

/** Threads as commentable, taggable records. */
export const threadKind: RecordKind = {
  async load(table: Table, caller: Caller, id: string): Promise<VisibleRecord | undefined> {
    const seen = await findSeenThread(table, caller, id);
    if (!seen) return undefined;
    const { thread, entry } = seen;
    return {
      type: 'threads',
      id: thread.id,
      // Without an entry yet the user's own view of the subject is not known.
      label: { subject: entry && mayShow(caller.user, thread, entry) ? entry.subject : null },
      owner_ids: [...thread.owner_ids],
      tag_ids: [...(thread.tag_ids ?? [])],
    };
  },

  async seenBy(table: Table, id: string, users: User[]): Promise<User[]> {
    const thread = await table.get<Thread>(keys.record('threads', id));
    return thread ? users.filter((user) => seesThread(user, thread)) : [];
  },
};
