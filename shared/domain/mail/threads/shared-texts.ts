import { targetId } from '#shared/domain/collaboration/shares/target.ts';
import { isDrawn, sortSoon } from '#shared/domain/mail/texts/sorting.ts';
import { messageLeaves, messageReturns } from '#shared/domain/mail/texts/writes.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
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
/** Writes of a transaction beside the check of the thread. */
const WRITES = TRANSACTION_LIMIT - 1;
/** Indexes that take a message in one transaction, with two writes of up to 64 kB each. */
const INDEXES = 40;

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

/** What one message needs, in groups that are written together. */
function writesOf({ message, into, outOf }: Change, words: readonly string[]): Write[][] {
  const noted = (change: Update<Message>) =>
    update<Message>(keyOf(message), {
      ...change,
      when: { PK: present, mailbox_ids: asRead(message.mailbox_ids) },
    });
  return [
    ...parts(into, INDEXES).map((some) => [
      ...some.flatMap((index) => messageReturns(index, message, words)),
      noted({ add: { found_by: new Set(some) } }),
    ]),
    ...parts(outOf, INDEXES).map((some) => [
      ...some.flatMap((index) => messageLeaves(index, message)),
      noted({ take: { found_by: new Set(some) } }),
    ]),
  ];
}

/** As few transactions as hold them; what belongs together stays so, and no item is in one of them twice. */
function* transactionsOf(changes: Write[][][]): Generator<Write[]> {
  let some: Write[] = [];
  for (const groups of changes)
    for (const [i, group] of groups.entries()) {
      if (i > 0 || some.length + group.length > WRITES) {
        yield some;
        some = [];
      }
      some.push(...group);
    }
  yield some;
}

async function writesOfSome(table: Table, changes: Change[]): Promise<Write[][][]> {
  const added = changes.filter(({ into }) => into.length > 0).map(({ message }) => message);
  const bodies = await table.getMany<StoredBody>(added.map(({ thread_id, id }) => keys.body(thread_id, id)));
  const bodyById = new Map(bodies.map((body) => [body.message_id, body]));
  return changes.map((change) => {
    const { message, into } = change;
    return writesOf(change, into.length > 0 ? wordsOfBody(message, bodyById.get(message.id)) : []);
  });
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
  for (const some of parts(changes, READ_AT_ONCE))
    for (const writes of transactionsOf(await writesOfSome(table, some)))
      if (!(await tryTransact(table, [check, ...writes]))) return;
  await sort();
}
