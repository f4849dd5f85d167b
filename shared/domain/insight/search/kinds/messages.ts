import { begun } from '#shared/begun.ts';
import type { IdRow } from '#shared/domain/mail/threads/message-ids.ts';
import { openMailboxes } from '#shared/domain/mail/threads/policy.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import {
  type FoundDocs,
  findDocs,
  type OpenIndex,
  openIndex,
} from '#shared/domain/platform/text-index/find.ts';
import { newestFirst } from '#shared/domain/platform/text-index/newest-first.ts';
import type { StoredDoc } from '#shared/domain/platform/text-index/store.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import type { SearchContext } from '../kind.ts';
import { onceIn } from '../once.ts';
import type { SearchQuery } from '../query.ts';

/**
 * Messages with all of some words, in the indexes of the mailboxes that the caller reads, and of what shares open to the caller
 * and to the caller's groups: the newest first.
 */

/** Messages that are looked up together. */
const SOME = 25;
/** Those beyond them that are found beside: of some that are in two indexes, and to know where a part ends. */
const AHEAD = 7;
/** Indexes that are read beside the lists; more are read once the lists do not fill the page. */
const BESIDE = 12;

type Terms = SearchQuery['terms'];

/** A message with the words, and the thread that it is in now. */
export interface Place extends Pick<IdRow, 'message_id' | 'thread_id' | 'sent'> {
  moment: number;
}

/** `index`: of a mailbox, a user or a group, by its id. */
interface Given extends StoredDoc {
  index: string;
}

const indexesOf = ({ caller: { user } }: SearchContext): string[] => [
  ...Object.keys(user.mailboxes),
  user.id,
  ...(user.group_ids ?? []),
];

async function* given(docs: FoundDocs['docs'], index: string): AsyncGenerator<Given> {
  for await (const doc of docs) yield { ...doc, index };
}

async function* partsOf(streams: AsyncGenerator<Given>[], count: number): AsyncGenerator<Given[][]> {
  let some = new Map<string, Given[]>();
  for await (const doc of newestFirst(streams)) {
    if (some.size === count && !some.has(doc.id)) {
      yield [...some.values()];
      some = new Map();
    }
    some.set(doc.id, [...(some.get(doc.id) ?? []), doc]);
  }
  yield [...some.values()];
}

export interface FoundMessages {
  /** In all indexes, of threads that are open to the caller or not. */
  count: number;
  places: AsyncGenerator<Place[]>;
}

/** Those of one search: each index is opened once, and each message looked up once. */
class Messages {
  /** Whether they are read at once, or only where lists do not fill the page. */
  readonly isBesideLists: boolean;
  readonly #ctx: SearchContext;
  readonly #open = new Map<string, Promise<OpenIndex>>();
  readonly #rows = new Map<string, Promise<Map<string, IdRow>>>();

  constructor(ctx: SearchContext) {
    this.#ctx = ctx;
    this.isBesideLists = indexesOf(ctx).length <= BESIDE;
  }

  /** In parts of so many messages, each in all indexes that have it. */
  async find(terms: Terms, part = SOME): Promise<FoundMessages> {
    const found = await Promise.all(
      indexesOf(this.#ctx).map(async (index) => {
        const { count, docs } = await this.#docsIn(index, terms, part + AHEAD);
        return { count, docs: given(docs, index) };
      }),
    );
    const count = found.reduce((sum, each) => sum + each.count, 0);
    const streams = found.map(({ docs }) => docs);
    return { count, places: this.#places(streams, part) };
  }

  async *#places(streams: AsyncGenerator<Given>[], count: number): AsyncGenerator<Place[]> {
    for await (const part of partsOf(streams, count)) yield this.#placesOf(part);
  }

  async #docsIn(index: string, terms: Terms, at_once: number): Promise<FoundDocs> {
    const { table, now } = this.#ctx;
    const open = this.#open.get(index) ?? begun(openIndex(table, index));
    this.#open.set(index, open);
    return findDocs(table, await open, { terms, now, at_once });
  }

  async #readRows(wanted: Key[]): Promise<Map<string, IdRow>> {
    const rows = await this.#ctx.table.getMany<IdRow>(wanted);
    return new Map(rows.map((row) => [row.message_id, row]));
  }

  async #rowsOf(docs: Given[]): Promise<Map<string, IdRow>> {
    const { caller } = this.#ctx;
    const unread = docs.filter(({ id }) => !this.#rows.has(id));
    if (unread.length > 0) {
      const wanted = unread.map(({ id, ref }) => keys.messageId(caller.account.id, ref, id));
      const read = begun(this.#readRows(wanted));
      for (const { id } of unread) this.#rows.set(id, read);
    }
    const rows = await Promise.all(docs.map(async ({ id }) => (await this.#rows.get(id))?.get(id)));
    return new Map(rows.flatMap((row) => (row ? [[row.message_id, row]] : [])));
  }

  /** Of messages that are in no mailbox of the caller, those that a share opens now. */
  async #openedBy(rows: IdRow[]): Promise<Set<IdRow>> {
    const { table, caller } = this.#ctx;
    const ids = [...new Set(rows.map(({ thread_id }) => thread_id))];
    const threads = await table.getMany<Thread>(ids.map((id) => keys.record('threads', id)));
    const openIn = new Map(threads.map((thread) => [thread.id, openMailboxes(caller.user, thread)]));
    const isOpen = ({ thread_id, mailbox_ids = new Set() }: IdRow) =>
      [...mailbox_ids].some((id) => openIn.get(thread_id)?.has(id));
    return new Set(rows.filter(isOpen));
  }

  /** Those that the caller may still read where they were found. */
  async #placesOf(found: Given[][]): Promise<Place[]> {
    const { mailboxes } = this.#ctx.caller.user;
    const docs = found.flatMap(([doc]) => doc ?? []);
    const rowById = await this.#rowsOf(docs);
    const all = docs.flatMap(({ id, moment }, i) => {
      const row = rowById.get(id);
      if (!row) return [];
      const indexes = found[i]?.map(({ index }) => index) ?? [];
      const isHeld = indexes.some((index) => row.mailbox_ids?.has(index));
      const isShared = indexes.some((index) => !Object.hasOwn(mailboxes, index));
      return isHeld || isShared ? [{ row, moment, isHeld }] : [];
    });
    const opened = await this.#openedBy(all.filter(({ isHeld }) => !isHeld).map(({ row }) => row));
    return all
      .filter(({ row, isHeld }) => isHeld || opened.has(row))
      .map(({ row: { message_id, thread_id, sent }, moment }) => ({ message_id, thread_id, sent, moment }));
  }
}

/** The newest message of each thread. */
export class NewestOfThreads {
  readonly #find: () => Promise<FoundMessages>;
  #found: Promise<FoundMessages> | undefined;
  readonly #seen = new Set<string>();
  #known: Place[] = [];
  #ended = false;
  #reading: Promise<void> | undefined;

  constructor(find: () => Promise<FoundMessages>) {
    this.#find = find;
  }

  #begin(): Promise<FoundMessages> {
    this.#found ??= begun(this.#find());
    return this.#found;
  }

  /** Of messages, before they are looked up. */
  async count(): Promise<number> {
    return (await this.#begin()).count;
  }

  /** Whether the next one is known, or that there is none. */
  get isReady(): boolean {
    return this.#ended || this.#known.length > 0;
  }

  /** Reads on to the next one, once for all who ask meanwhile. */
  read(): Promise<void> {
    this.#reading ??= begun(
      this.#read().finally(() => {
        this.#reading = undefined;
      }),
    );
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { places } = await this.#begin();
    while (!this.isReady) {
      const { done, value } = await places.next();
      if (done) this.#ended = true;
      else
        this.#known = value.filter(
          ({ thread_id }) => !this.#seen.has(thread_id) && this.#seen.add(thread_id),
        );
    }
  }

  /** Of one part, so many at most; none at the end. */
  async take(count: number): Promise<Place[]> {
    await this.read();
    return this.#known.splice(0, count);
  }
}

/** One for a search: what it opens and reads is read once. */
export const messagesFor = onceIn((ctx) => new Messages(ctx));

/** Words of one or two Latin letters begin too many words. */
const isTelling = (spellings: readonly string[]) => spellings.every((term) => !/^[a-z0-9]{1,2}$/.test(term));

/** Whether messages are looked for by these words. */
export const isLookedFor = ({ terms }: SearchQuery) => terms.some(isTelling);
