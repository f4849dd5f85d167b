import { isDeepStrictEqual } from 'node:util';
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
  asRead,
  both,
  type Condition,
  ConditionFailed,
  containing,
  missing,
  mustNotExist,
  present,
  type Table,
  update,
  type Write,
  when,
} from '#shared/table/table.ts';
import type { StoredBody } from './body.ts';
import { discardOf, threadRef } from './discard.ts';
import type { KnownThread } from './grouping.ts';
import type { IdRow } from './message-ids.ts';
import { messagePages } from './messages.ts';
import type { Members } from './refresh.ts';
import { type Message, mailboxesOf, type Thread } from './thread.ts';

/** Moves messages with their bodies from one thread to another. */

/** A thread for messages that leave another one. */
export function openNew(table: Table, account_id: string, id: string): Promise<void> {
  return table.put({ ...keys.record('threads', id), id, account_id, version: 0, shares: {} }, mustNotExist);
}

const ownersOf = (mailbox_ids: ReadonlySet<string>, { mailboxes }: Members) =>
  new Set(mailboxes.filter(({ id }) => mailbox_ids.has(id)).map(({ user_id }) => user_id));

/** DynamoDB accepts no empty sets. */
const some = (ids: Set<string>) => (ids.size > 0 ? ids : undefined);

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
  const mailbox_ids = new Set(coming.flatMap((link) => [...link.held_by]));
  const owner_ids = ownersOf(mailbox_ids, members);
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

/**
 * Reduces a thread's mailboxes to those of its remaining messages. The version stays: entries contain what they did, and
 * those of an older version would take messages that are opened to their users later for new mail. It grows with
 * `outdated`, when messages moved elsewhere: then entries of the time before must not come back.
 */
export function narrow(table: Table, id: string, members: Members, outdated?: 'outdated'): Promise<void> {
  const key = keys.record('threads', id);
  return retryOnConflict(async () => {
    const thread = await table.get<Thread>(key);
    const held: ReadonlySet<string>[] = [];
    for await (const page of messagePages(table, id)) held.push(...page.map(mailboxesOf));
    if (!thread || thread.merged_into !== undefined || held.length === 0) return;
    const mailbox_ids = some(new Set(held.flatMap((ids) => [...ids])));
    const owner_ids = mailbox_ids && some(ownersOf(mailbox_ids, members));
    if (isDeepStrictEqual([mailbox_ids, owner_ids], [thread.mailbox_ids, thread.owner_ids])) return;
    await table.update<Thread>(
      key,
      {
        set: { mailbox_ids, owner_ids },
        remove: [
          ...(mailbox_ids ? [] : ['mailbox_ids' as const]),
          ...(owner_ids ? [] : ['owner_ids' as const]),
        ],
        ...(outdated ? { add: { version: 1 } } : {}),
        when: {
          version: thread.version,
          mailbox_ids: asRead(thread.mailbox_ids),
          owner_ids: asRead(thread.owner_ids),
        },
      },
      'NONE',
    );
  });
}

/** No mailbox received it since it was read, it left none, no index of a share took it, and it was not purged. */
const asDelivered = ({ mailbox_ids, left, found_by, trace }: Message) =>
  when<Message>({
    mailbox_ids: asRead(mailbox_ids),
    left: asRead(left),
    found_by: asRead(found_by),
    trace: trace ? present : missing,
  });

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

/** The target thread still has the mailboxes of the messages: users of others would not find them. */
function isWide(messages: Message[]): Condition {
  const mailboxes = new Set(messages.flatMap((message) => [...mailboxesOf(message)]));
  const tests = [...mailboxes].map((id) => containing(id));
  return tests.length > 0 ? when<Thread>({ ...isLive, mailbox_ids: both(...tests) }) : when<Thread>(isLive);
}

interface MovedMessages {
  source: RecordRef;
  target: RecordRef;
  now: Date;
}

async function moveSome(table: Table, messages: Message[], { source, target, now }: MovedMessages) {
  const bodies = await table.getMany<StoredBody>(messages.map(({ id }) => keys.body(source.id, id)));
  const bodyOf = new Map(bodies.map((body) => [body.message_id, body]));
  const moves = messages.map((message) => messageMove(message, bodyOf.get(message.id), source, target));
  const lives = { check: keys.record('threads', target.id), when: isWide(messages) };
  const later = discardOf(target.id, messages, now);
  for (const writes of transactionsOf(moves, 1 + later.length))
    await table.transact([...writes, lives, ...later]);
}

/**
 * Throws ConditionFailed when another worker moves them, or when one reached another mailbox meanwhile, or left one: the
 * target thread has the known mailboxes.
 */
export async function moveMessages(
  table: Table,
  { thread, links }: KnownThread,
  into: string,
  ids: Set<string>,
  now: Date,
): Promise<void> {
  const move = { source: threadRef(thread.id), target: threadRef(into), now };
  const known = new Map(links.map(({ id, held_by }) => [id, held_by]));
  for await (const page of messagePages(table, thread.id)) {
    const messages = page.filter(({ id }) => ids.has(id));
    if (messages.some((message) => !isDeepStrictEqual(mailboxesOf(message), known.get(message.id))))
      throw new ConditionFailed(undefined);
    if (messages.length > 0) await moveSome(table, messages, move);
  }
}
