import { keys } from '../../table/keys.ts';
import type { Item, Table } from '../../table/table.ts';
import type { ParsedMessage } from '../mail/message.ts';
import { baseSubject, linkedIds, startsNewThread } from '../mail/threading.ts';
import type { Thread } from './thread.ts';

/**
 * Where a message belongs (decisions, section 6): the thread of any id it refers to or that referred to it. Ids are
 * announced by the messages that mention them, so the order of arrival does not matter.
 */
export type KnownId = Item & {
  thread_id: string;
  /** Absent while the message was only referred to. */
  message_id?: string;
  /** Its send time in milliseconds, which is part of its key. */
  sent?: number;
  /** Mailboxes the message reached, with what delivered it there. */
  deliveries?: Record<string, string>;
};

export interface Placement {
  /** The row of the message's own id, if it was seen or announced. */
  own: KnownId | undefined;
  /** Live threads the message belongs to, oldest first; none starts a new one, several are one conversation. */
  threads: Thread[];
  /** Threads that were found while their messages are still moving to another one. */
  unfinished: Thread[];
  /** Ids it refers to that nobody has mentioned before. */
  unknown: string[];
}

async function liveThreads(
  table: Table,
  ids: Set<string>,
): Promise<Pick<Placement, 'threads' | 'unfinished'>> {
  const live = new Map<string, Thread>();
  const unfinished: Thread[] = [];
  const seen = new Set<string>();
  let wanted = [...ids];
  while (wanted.length > 0) {
    for (const id of wanted) seen.add(id);
    const found = await table.getMany<Thread>(wanted.map((id) => keys.record('threads', id)));
    wanted = [];
    for (const thread of found) {
      if (!thread.merged_into) live.set(thread.id, thread);
      else if (!seen.has(thread.merged_into)) wanted.push(thread.merged_into);
      if (thread.merging) unfinished.push(thread);
    }
  }
  const threads = [...live.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { threads, unfinished };
}

/** `ownAddresses`: those of the account's users and mailboxes, which every mail of theirs shares. */
export async function placeMessage(
  table: Table,
  account: string,
  message: ParsedMessage,
  participants: string[],
  ownAddresses: Set<string>,
): Promise<Placement> {
  const linked = linkedIds(message);
  const rows = await table.getMany<KnownId>(
    [message.rfc_id, ...linked].map((id) => keys.messageId(account, id)),
  );
  const byKey = new Map(rows.map((row) => [row.PK, row]));
  const own = byKey.get(keys.messageId(account, message.rfc_id).PK);
  const unknown = linked.filter((id) => !byKey.has(keys.messageId(account, id).PK));
  const { threads, unfinished } = await liveThreads(table, new Set(rows.map((row) => row.thread_id)));
  const fitting = threads.filter(
    (thread) =>
      !startsNewThread({
        messageSubject: message.subject,
        threadSubject: thread.base_subject,
        messageParticipants: participants,
        threadParticipants: [...thread.addresses],
        ownAddresses: [...ownAddresses],
      }),
  );
  // A conversation that split by subject stays split, even when a later message brings its people together again.
  const subject = baseSubject(message.subject);
  const same = fitting.filter((thread) => thread.base_subject === subject);
  return { own, threads: same.length > 0 ? same : fitting, unfinished, unknown };
}
