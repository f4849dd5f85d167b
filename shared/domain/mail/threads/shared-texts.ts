import { mapAtOnce } from '#shared/at-once.ts';
import { targetId } from '#shared/domain/collaboration/shares/target.ts';
import { isDrawn, sortSoon } from '#shared/domain/mail/texts/sorting.ts';
import { messageLeaves, messageReturns } from '#shared/domain/mail/texts/writes.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { asRead, present, type Table, update } from '#shared/table/table.ts';
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
const WRITTEN_AT_ONCE = 8;
/** Indexes of a transaction: each takes two writes, of up to 64 kB. */
const INDEXES_AT_ONCE = 40;

interface Change {
  message: Message;
  /** Users and groups in whose indexes it is not yet. */
  into: string[];
  /** Those in whose indexes it is, and to whom nothing opens it any more. */
  outOf: string[];
}

function openedTo({ shares = {} }: Pick<Thread, 'shares'>, message: Message): Set<string> {
  const held = mailboxesOf(message);
  const opening = Object.values(shares).filter(({ mailbox_ids }) => mailbox_ids.some((id) => held.has(id)));
  return new Set(opening.map(targetId));
}

function changesOf(thread: Pick<Thread, 'shares'>, messages: Message[]): Change[] {
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

/** Of a message that moved, or reached or left a mailbox meanwhile, nothing: whoever did that follows it. */
async function follow(table: Table, { message, into, outOf }: Change, words: string[]): Promise<void> {
  const when = { PK: present, mailbox_ids: asRead(message.mailbox_ids) };
  for (const some of parts(into, INDEXES_AT_ONCE))
    await tryTransact(table, [
      ...some.flatMap((index) => messageReturns(index, message, words)),
      update<Message>(keyOf(message), { add: { found_by: new Set(some) }, when }),
    ]);
  for (const some of parts(outOf, INDEXES_AT_ONCE))
    await tryTransact(table, [
      ...some.flatMap((index) => messageLeaves(index, message)),
      update<Message>(keyOf(message), { take: { found_by: new Set(some) }, when }),
    ]);
}

async function followSome(table: Table, changes: Change[]): Promise<void> {
  const added = changes.filter(({ into }) => into.length > 0).map(({ message }) => message);
  const bodies = await table.getMany<StoredBody>(added.map(({ thread_id, id }) => keys.body(thread_id, id)));
  const bodyById = new Map(bodies.map((body) => [body.message_id, body]));
  await mapAtOnce(changes, WRITTEN_AT_ONCE, (change) => {
    const { message, into } = change;
    const words = into.length > 0 ? wordsOfBody(message, bodyById.get(message.id)) : [];
    return follow(table, change, words);
  });
}

/** The indexes that are to be sorted: by chance those that messages come to, always those that they leave. */
function toSort(changes: Change[]): string[] {
  const left = changes.flatMap(({ outOf }) => outOf);
  const drawn = changes.flatMap(({ message, into }) => into.filter((id) => isDrawn(id, [message.id])));
  return [...new Set([...left, ...drawn])];
}

/** Makes the indexes right for these messages of a thread. Idempotent. */
export async function followShares(
  table: Table,
  thread: Pick<Thread, 'shares'>,
  messages: Message[],
): Promise<void> {
  const changes = changesOf(thread, messages);
  if (changes.length === 0) return;
  const indexes = toSort(changes);
  const sort = () => mapAtOnce(indexes, WRITTEN_AT_ONCE, (index) => table.transact([sortSoon(index)]));
  // Before as well, for a worker that dies behind the last of them.
  await sort();
  for (const some of parts(changes, READ_AT_ONCE)) await followSome(table, some);
  await sort();
}
