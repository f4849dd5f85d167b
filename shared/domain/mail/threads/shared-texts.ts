import { type Move, transactionsOf } from '#shared/domain/collaboration/records/move.ts';
import { targetId } from '#shared/domain/collaboration/shares/target.ts';
import { messageLeaves, messageReturns } from '#shared/domain/mail/texts/writes.ts';
import { isDrawn, sortSoon } from '#shared/domain/platform/text-index/sorting.ts';
import { keys } from '#shared/table/keys.ts';
import {
  asRead,
  present,
  type Table,
  TRANSACTION_LIMIT,
  type Update,
  update,
  type Write,
  when,
} from '#shared/table/table.ts';
import { tryTransact } from '#shared/table/try-transact.ts';
import { type StoredBody, wordsOfBody } from './body.ts';
import { type Message, mailboxesOf, type Thread } from './thread.ts';

/**
 * Messages that a share opens, in the indexes of texts of the users and groups that have the share: besides those of
 * mailboxes, a search reads these. A message says in which of them it is, so a worker that dies is followed by one that
 * goes on (docs/decisions/0088).
 */

/** Messages whose bodies are read together. */
const READ_AT_ONCE = 25;
/**
 * Indexes that take a message in one transaction, with two writes each, beside its note and the check of the thread. As they
 * fill it, no other part of the message is in it: an item may be in a transaction once.
 */
const INDEXES = (TRANSACTION_LIMIT - 2) / 2;

interface Change {
  message: Message;
  /** Users and groups in whose indexes it is not yet. */
  into: string[];
  /** Those in whose indexes it is, and to whom nothing opens it any more. */
  outOf: string[];
}

function openedTo({ shares = {} }: Thread, message: Message): Set<string> {
  const held = mailboxesOf(message);
  const opening = Object.values(shares).filter(({ mailbox_ids }) => mailbox_ids.some((id) => held.has(id)));
  return new Set(opening.map(targetId));
}

function changesOf(thread: Thread, messages: Message[]): Change[] {
  return messages.flatMap((message) => {
    const wanted = message.trace ? new Set<string>() : openedTo(thread, message);
    const there = message.found_by ?? new Set();
    const into = [...wanted].filter((id) => !there.has(id));
    const outOf = [...there].filter((id) => !wanted.has(id));
    return into.length + outOf.length > 0 ? [{ message, into, outOf }] : [];
  });
}

const parts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

function noted({ PK, SK, mailbox_ids }: Message, change: Update<Message>): Write {
  return update<Message>({ PK, SK }, { ...change, when: { PK: present, mailbox_ids: asRead(mailbox_ids) } });
}

function entering({ message, into }: Change, words: readonly string[]): Move[] {
  const bytes = words.reduce((sum, word) => sum + Buffer.byteLength(word) + 1, 0);
  return parts(into, INDEXES).map((some) => ({
    writes: [
      ...some.flatMap((index) => messageReturns(index, message, words)),
      noted(message, { add: { found_by: new Set(some) } }),
    ],
    bytes: bytes * some.length,
  }));
}

const leaving = ({ message, outOf }: Change): Move[] =>
  parts(outOf, INDEXES).map((some) => ({
    writes: [
      ...some.flatMap((index) => messageLeaves(index, message)),
      noted(message, { take: { found_by: new Set(some) } }),
    ],
    bytes: 0,
  }));

/** With all recipients, which `messagesOf` may have left out. */
async function wordsOfSome(table: Table, messages: Message[]): Promise<Map<string, string[]>> {
  const [bodies, whole] = await Promise.all([
    table.getMany<StoredBody>(messages.map(({ thread_id, id }) => keys.body(thread_id, id))),
    table.getMany<Message>(messages.map(({ PK, SK }) => ({ PK, SK }))),
  ]);
  const bodyById = new Map(bodies.map((body) => [body.message_id, body]));
  return new Map(whole.map((message) => [message.id, wordsOfBody(message, bodyById.get(message.id))]));
}

async function* transactionsFor(table: Table, changes: Change[]): AsyncGenerator<Write[]> {
  const added = changes.filter(({ into }) => into.length > 0);
  for (const some of parts(added, READ_AT_ONCE)) {
    const words = await wordsOfSome(
      table,
      some.map(({ message }) => message),
    );
    yield* transactionsOf(
      some.flatMap((change) => entering(change, words.get(change.message.id) ?? [])),
      1,
    );
  }
  yield* transactionsOf(changes.flatMap(leaving), 1);
}

/** The indexes that are to be sorted: by chance those that messages come to, always those that they leave. */
function toSort(changes: Change[]): string[] {
  const left = changes.flatMap(({ outOf }) => outOf);
  const drawn = changes.flatMap(({ message, into }) => into.filter((id) => isDrawn(id, [message.id])));
  return [...new Set([...left, ...drawn])];
}

/**
 * Makes the indexes right for these messages of a thread. Idempotent. It ends when the shares or a message changed since they
 * were read: whoever changed them follows.
 */
export async function followShares(table: Table, thread: Thread, messages: Message[]): Promise<void> {
  const changes = changesOf(thread, messages);
  if (changes.length === 0) return;
  const check = {
    check: keys.record('threads', thread.id),
    when: when<Thread>({ shares: asRead(thread.shares) }),
  };
  const indexes = toSort(changes);
  const sort = async () => {
    for (const some of parts(indexes, TRANSACTION_LIMIT)) await table.transact(some.map(sortSoon));
  };
  // Before as well, for a worker that dies behind the last of them.
  await sort();
  for await (const writes of transactionsFor(table, changes))
    if (!(await tryTransact(table, [check, ...writes]))) return;
  await sort();
}
