import { recordNotFound } from '../../errors.ts';
import { keys, lists } from '../../table/keys.ts';
import { changes } from '../../table/requests.ts';
import type { IndexName } from '../../table/schema.ts';
import { ConditionFailed, type Table } from '../../table/table.ts';
import type { Caller } from '../caller.ts';
import { findContactsByAddress } from '../contacts/addresses.ts';
import { presentTags, tagDictionary } from '../tags/store.ts';
import { presentEntry } from './present.ts';
import type { ThreadRecord } from './record.ts';
import type { Thread, ThreadEntry } from './thread.ts';
import { canSeeMailboxes, findEntry } from './visibility.ts';

export interface ThreadFilters {
  mailbox_id?: string | undefined;
  unread?: boolean | undefined;
  flagged?: boolean | undefined;
}

export interface ThreadPage {
  entries: ThreadEntry[];
  /** Rank to go on from; null at the end. */
  next: string | null;
}

/** Entries read at once when a filter has to look at each. */
const SCANNED = 250;
/** Queries a page may take; then it is answered short, with a cursor. */
const MAX_QUERIES = 8;

/** The narrowest index: what it holds needs no filter. */
function driverOf(filters: ThreadFilters): { index: IndexName; hash?: 'flagged' | 'unread' } {
  if (filters.flagged) return { index: 'flagged', hash: 'flagged' };
  if (filters.unread) return { index: 'unread', hash: 'unread' };
  return { index: 'by_rank' };
}

function threadQuery(caller: Caller, filters: ThreadFilters, after: string | undefined) {
  const { index, hash } = driverOf(filters);
  const names: Record<string, string> = { '#list': 'list' };
  const values: Record<string, unknown> = { ':list': lists.threads(caller.user.id) };
  const where = ['#list = :list'];
  const filter: string[] = [];
  if (hash) {
    names['#state'] = hash;
    values[':one'] = 1;
    where.push('#state = :one');
  }
  if (after !== undefined) {
    names['#rank'] = 'rank';
    values[':after'] = after;
    where.push('#rank < :after');
  }
  if (filters.unread && hash !== 'unread') {
    names['#unread'] = 'unread';
    filter.push('#unread = :one');
  }
  if (filters.mailbox_id) {
    values[':mailbox'] = filters.mailbox_id;
    filter.push('contains(mailbox_ids, :mailbox)');
  }
  return { index, where: where.join(' AND '), filter: filter.join(' AND ') || undefined, names, values };
}

/** The caller's threads, newest sent first. */
export async function findThreads(
  table: Table,
  caller: Caller,
  filters: ThreadFilters,
  after: string | undefined,
  limit: number,
): Promise<ThreadPage> {
  const { filter, ...query } = threadQuery(caller, filters, after);
  const found: ThreadEntry[] = [];
  let last: Record<string, unknown> | undefined;
  for (let queries = 0; queries < MAX_QUERIES; queries++) {
    const page = await table.query<ThreadEntry>({
      ...query,
      ...(filter ? { filter } : {}),
      newest_first: true,
      limit: filter ? SCANNED : limit + 1,
      after: last,
    });
    found.push(...page.items.filter((entry) => canSeeMailboxes(caller.user, entry.mailbox_ids)));
    last = page.last;
    if (found.length > limit || !last) break;
  }
  const entries = found.slice(0, limit);
  if (found.length > limit) return { entries, next: entries.at(-1)?.rank ?? null };
  return { entries, next: last ? (last.rank as string) : null };
}

/** Entries as records of a list: with tags and contacts, without messages, tasks and comments. */
export async function presentThreads(
  table: Table,
  caller: Caller,
  entries: ThreadEntry[],
): Promise<ThreadRecord[]> {
  const addresses = new Set(entries.flatMap((entry) => Object.keys(entry.participant_names)));
  const [threads, contacts, dictionary] = await Promise.all([
    table.getMany<Thread>(entries.map((entry) => keys.record('threads', entry.thread_id))),
    findContactsByAddress(table, caller, [...addresses]),
    tagDictionary(table, caller.account.id),
  ]);
  const byId = new Map(threads.map((thread) => [thread.id, thread]));
  return entries.map((entry) => {
    const tag_ids = byId.get(entry.thread_id)?.tag_ids ?? new Set<string>();
    return presentEntry(entry, presentTags(dictionary, [...tag_ids]), contacts);
  });
}

/** What a user keeps of a thread, changed in one conditional write; 404 when the thread is hidden. */
export async function changeState(
  table: Table,
  caller: Caller,
  id: string,
  change: { set?: Partial<ThreadEntry>; remove?: (keyof ThreadEntry & string)[] },
): Promise<void> {
  const mailboxes = Object.keys(caller.user.mailboxes);
  if (mailboxes.length === 0) throw recordNotFound();
  const { values, ...update } = changes(change.set ?? {}, change.remove);
  const seen = Object.fromEntries(mailboxes.map((mailbox, i) => [`:m${i}`, mailbox]));
  const condition = Object.keys(seen)
    .map((name) => `contains(mailbox_ids, ${name})`)
    .join(' OR ');
  const write = (thread: string) =>
    table.update(
      keys.threadEntry(caller.user.id, thread),
      { ...update, condition, values: { ...values, ...seen } },
      'NONE',
    );
  try {
    await write(id);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const entry = await findEntry(table, caller, id);
    if (!entry || entry.thread_id === id) throw recordNotFound();
    await write(entry.thread_id);
  }
}
