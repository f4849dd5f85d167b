import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import {
  bytesOf,
  type Move,
  moved,
  moveOf,
  transactionsOf,
} from '#shared/domain/collaboration/records/move.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import {
  ConditionFailed,
  mustNotExist,
  sized,
  type Table,
  update,
  type Write,
  when,
} from '#shared/table/table.ts';
import type { StoredBody } from './body.ts';
import type { KnownThread } from './grouping.ts';
import type { IdRow } from './message-ids.ts';
import { type Members, messagesOf } from './refresh.ts';
import type { Message, Thread } from './thread.ts';

/** Moves messages with their bodies from one thread to another. */

export const threadRef = (id: string): RecordRef => ({ type: 'threads', id });

/** A thread for messages that leave another one. */
export function openNew(table: Table, account_id: string, id: string): Promise<void> {
  return table.put({ ...keys.record('threads', id), id, account_id, version: 0, shares: {} }, mustNotExist);
}

const ownersOf = (mailbox_ids: Set<string>, { mailboxes }: Members) =>
  new Set(mailboxes.filter(({ id }) => mailbox_ids.has(id)).map(({ user_id }) => user_id));

/**
 * Adds the moved messages' mailboxes to a thread before the first message arrives: a refresh then finds their users.
 */
export async function widen(
  table: Table,
  { thread, links }: KnownThread,
  into: string,
  ids: Set<string>,
  members: Members,
): Promise<void> {
  const coming = links.filter(({ id }) => ids.has(id));
  const mailbox_ids = new Set(coming.flatMap((link) => [...link.mailbox_ids]));
  const owner_ids = ownersOf(mailbox_ids, members);
  // DynamoDB accepts no empty sets.
  const some = (ids: Set<string>) => (ids.size > 0 ? ids : undefined);
  await table.update<Thread>(
    keys.record('threads', into),
    {
      // Above the versions of all entries of both threads.
      add: { version: thread.version + 1, mailbox_ids: some(mailbox_ids), owner_ids: some(owner_ids) },
      when: isLive,
    },
    'NONE',
  );
}

/** Reduces a thread's mailboxes to those of its remaining messages. */
export function narrow(table: Table, id: string, members: Members): Promise<void> {
  const key = keys.record('threads', id);
  return retryOnConflict(async () => {
    const thread = await table.get<Thread>(key);
    const messages = await messagesOf(table, id);
    if (!thread || messages.length === 0) return;
    const mailbox_ids = new Set(messages.flatMap((message) => [...message.mailbox_ids]));
    await table.update<Thread>(
      key,
      {
        set: { mailbox_ids, owner_ids: ownersOf(mailbox_ids, members) },
        add: { version: 1 },
        when: { version: thread.version },
      },
      'NONE',
    );
  });
}

/** No mailbox received it since it was read. */
const asDelivered = ({ mailbox_ids }: Message) => when<Message>({ mailbox_ids: sized(mailbox_ids.size) });

function messageMove(
  message: Message,
  body: StoredBody | undefined,
  source: RecordRef,
  target: RecordRef,
): Move {
  const follows: Write = update<IdRow>(keys.messageId(message.account_id, message.id_hash, message.id), {
    set: { thread_id: target.id },
    when: { thread_id: source.id },
  });
  const rest = body && moveOf(body, source, target);
  const writes: Write[] = [
    { put: moved(message, source, target) },
    { delete: keyOf(message), when: asDelivered(message) },
    ...(rest?.writes ?? []),
    follows,
  ];
  return { writes, bytes: bytesOf(message) + (rest?.bytes ?? 0) };
}

/**
 * Throws ConditionFailed when another worker moves them, or one reached another mailbox meanwhile: the target thread
 * has the known mailboxes only, and users of a further one would not find the message.
 */
export async function moveMessages(
  table: Table,
  { thread, links }: KnownThread,
  into: string,
  ids: Set<string>,
): Promise<void> {
  const [source, target] = [threadRef(thread.id), threadRef(into)];
  const known = new Map(links.map(({ id, mailbox_ids }) => [id, mailbox_ids]));
  const messages = (await messagesOf(table, thread.id)).filter(({ id }) => ids.has(id));
  if (messages.some((message) => [...message.mailbox_ids].some((id) => !known.get(message.id)?.has(id))))
    throw new ConditionFailed(undefined);
  const bodies = await table.getMany<StoredBody>(messages.map(({ id }) => keys.body(thread.id, id)));
  const bodyOf = new Map(bodies.map((body) => [body.message_id, body]));
  const moves = messages.map((message) => messageMove(message, bodyOf.get(message.id), source, target));
  const lives = { check: keys.record('threads', into), when: when(isLive) };
  for (const writes of transactionsOf(moves, 1)) await table.transact([...writes, lives]);
}
