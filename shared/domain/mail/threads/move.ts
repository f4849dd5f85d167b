import { commentMoves, commentOf, moveLeftReactions } from '#shared/domain/collaboration/comments/move.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import {
  bytesOf,
  keyOf,
  type Move,
  moved,
  moveOf,
  transactionsOf,
} from '#shared/domain/collaboration/records/move.ts';
import type { Tag } from '#shared/domain/collaboration/tags/tag.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import {
  ConditionFailed,
  type Item,
  mustExist,
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

/** Moves what is under one thread to another: messages with their bodies, comments, taggings. */

const threadRef = (id: string): RecordRef => ({ type: 'threads', id });

/** A tag that both threads carried is counted once from now on. */
async function dropTagging(table: Table, item: Item, account: string): Promise<void> {
  await table.transact([
    { delete: keyOf(item), when: mustExist },
    update<Tag>(keys.tag(account, item.SK.slice('TAGGING#'.length)), {
      add: { thread_count: -1 },
      when: mustExist,
    }),
  ]);
}

async function tryMoveItems(table: Table, from: Thread, into: string): Promise<void> {
  const [source, target] = [threadRef(from.id), threadRef(into)];
  const items = await table.all(keys.record('threads', from.id).PK);
  const rest = items.filter((item) => item.SK !== 'META');
  const carried = new Set((await taggingsOf(table, into)).map((item) => item.SK));
  for (const item of rest.filter((each) => carried.has(each.SK)))
    await dropTagging(table, item, from.account_id);
  const comments = rest.filter((item) => commentOf(item) !== undefined);
  const others = rest.filter((item) => commentOf(item) === undefined && !carried.has(item.SK));
  const moves = [
    ...others.map((item) => moveOf(item, source, target)),
    ...commentMoves(comments, source, target),
  ];
  for (const writes of transactionsOf(moves)) await table.transact(writes);
  await moveLeftReactions(table, comments, source);
}

/** Several workers may move at once: each item is moved by one of them. */
export function moveItems(table: Table, from: Thread, into: string): Promise<void> {
  return retryOnConflict(() => tryMoveItems(table, from, into));
}

const taggingsOf = (table: Table, thread: string) =>
  table.all<Item & { tag_id: string }>(keys.record('threads', thread).PK, 'TAGGING#');

/** The thread carries the tags of its taggings, those that moved last included. */
export async function adoptTags(table: Table, thread: string): Promise<void> {
  const tag_ids = (await taggingsOf(table, thread)).map((tagging) => tagging.tag_id);
  if (tag_ids.length === 0) return;
  await table.update<Thread>(keys.record('threads', thread), {
    add: { tag_ids: new Set(tag_ids) },
    when: mustExist,
  });
}

/** A thread for messages that leave another one. */
export function openNew(table: Table, account_id: string, id: string): Promise<void> {
  return table.put({ ...keys.record('threads', id), id, account_id, version: 0, shares: {} }, mustNotExist);
}

const ownersOf = (mailbox_ids: Set<string>, { mailboxes }: Members) =>
  new Set(mailboxes.filter(({ id }) => mailbox_ids.has(id)).map(({ user_id }) => user_id));

/** What a thread gains, before the first message is there: a refresh finds the new mailboxes' users. */
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
  // The table takes no empty sets.
  const some = (ids: Set<string>) => (ids.size > 0 ? ids : undefined);
  await table.update<Thread>(
    keys.record('threads', into),
    {
      // Above the version of every entry of either thread.
      add: { version: thread.version + 1, mailbox_ids: some(mailbox_ids), owner_ids: some(owner_ids) },
      when: isLive,
    },
    'NONE',
  );
}

/** The mailboxes of a thread that messages left: those of the messages it has still. */
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

/** No mailbox got it since it was read. */
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
 * Throws ConditionFailed when another worker moves them, or one reached another mailbox meanwhile: the other thread was
 * widened by the mailboxes that were known, and users of one that it lacks would not find the message.
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
