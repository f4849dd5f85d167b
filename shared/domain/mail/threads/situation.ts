import { mapAtOnce } from '#shared/at-once.ts';
import { keys, nameOfKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { type Addresses, type Link, linkOf } from './forest.ts';
import { type Departure, departuresOf, type KnownThread, type Meeting, meetingsOf } from './grouping.ts';
import { isAnnotated } from './merge.ts';
import type { AwaitedRow } from './message-ids.ts';
import { messagePages } from './messages.ts';
import { placeMessage } from './placement.ts';
import { findThread } from './policy.ts';
import type { Thread } from './thread.ts';

/** What decides where the messages of some threads belong. */

/** Messages of a thread that are grouped; a longer thread is closed. */
const MAX_MESSAGES = 5_000;

async function readThread(table: Table, thread: Thread, alone: boolean): Promise<KnownThread> {
  const links: Link[] = [];
  for await (const page of messagePages(table, thread.id)) {
    links.push(...page.map(linkOf));
    if (links.length > MAX_MESSAGES) break;
  }
  const closed = links.length > MAX_MESSAGES;
  return { thread, links, closed, annotated: !alone && (await isAnnotated(table, thread)) };
}

export interface Situation {
  threads: KnownThread[];
  meetings: Meeting[];
}

/** The live threads that these ids lead to, and the threads whose messages are still moving there. */
export async function threadsBehind(table: Table, account: string, ids: Set<string>): Promise<Thread[]> {
  const found = new Map<string, Thread>();
  for (const id of ids) {
    const own = await table.get<Thread>(keys.record('threads', id));
    if (own?.account_id !== account) continue;
    if (own.merging) found.set(own.id, own);
    const live = own.merged_into === undefined ? own : await findThread(table, account, id);
    if (live) found.set(live.id, live);
  }
  return [...found.values()];
}

async function readMeetings(table: Table, account: string, threads: KnownThread[]): Promise<Meeting[]> {
  const all = meetingsOf(threads.flatMap(({ links }) => links));
  const rows = await table.getMany<AwaitedRow>(
    all.map(({ hash, mailbox_id }) => keys.awaited(account, hash, mailbox_id)),
  );
  const byKey = new Map(rows.map((row) => [nameOfKey(row), row.thread_id]));
  return all.map(({ hash, mailbox_id }) => {
    const thread_id = byKey.get(nameOfKey(keys.awaited(account, hash, mailbox_id)));
    return { hash, mailbox_id, thread_id };
  });
}

/** Messages about to leave their threads whose ancestors are looked up. Further forgeries are grouped without. */
const MAX_LOOKUPS = 1_000;
const LOOKUPS_AT_ONCE = 25;

interface Lookup {
  table: Table;
  account: string;
  addresses: Addresses;
  /** Messages that were looked up already, each with its mailbox. */
  looked_up: Set<string>;
}

/**
 * The threads of the nearest ancestors of messages that would leave their threads. These ancestors may be in none of
 * the threads read so far: any number of messages can claim one id, and a message that began its own thread is not in
 * that of its ancestor.
 */
async function threadsAhead(
  { table, account, addresses, looked_up }: Lookup,
  { threads, meetings }: Situation,
): Promise<string[]> {
  const nameOf = ({ link, mailbox_id }: Departure) => `${link.id} ${mailbox_id}`;
  const departures = departuresOf(threads, meetings, addresses)
    .filter((each) => !looked_up.has(nameOf(each)))
    .slice(0, MAX_LOOKUPS - looked_up.size);
  for (const each of departures) looked_up.add(nameOf(each));
  const placements = await mapAtOnce(departures, LOOKUPS_AT_ONCE, ({ link, mailbox_id }) =>
    placeMessage(table, account, link, mailbox_id, addresses, []),
  );
  return placements.flatMap(({ ancestor }) => ancestor?.thread_id ?? []);
}

/** The threads, those in which their messages meet others, and those of their messages' ancestors. */
export async function readSituation(
  table: Table,
  account: string,
  ids: Set<string>,
  addresses: Addresses,
): Promise<Situation> {
  const lookup = { table, account, addresses, looked_up: new Set<string>() };
  for (let known = -1; ; ) {
    const found = await threadsBehind(table, account, ids);
    const threads = await Promise.all(found.map((thread) => readThread(table, thread, found.length === 1)));
    const meetings = await readMeetings(table, account, threads);
    for (const { thread_id } of meetings) if (thread_id !== undefined) ids.add(thread_id);
    const situation = { threads, meetings };
    for (const id of await threadsAhead(lookup, situation)) ids.add(id);
    if (ids.size === known) return situation;
    known = ids.size;
  }
}
