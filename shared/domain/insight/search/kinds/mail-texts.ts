import { begun } from '#shared/begun.ts';
import { type StoredBody, textsOfBody } from '#shared/domain/mail/threads/body.ts';
import type { IdRow } from '#shared/domain/mail/threads/message-ids.ts';
import { openMailboxes } from '#shared/domain/mail/threads/policy.ts';
import type { Message, Thread, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { matchesTerms, wordsOf } from '#shared/domain/platform/postings/words.ts';
import { findDocs } from '#shared/domain/platform/text-index/find.ts';
import { byAge } from '#shared/domain/platform/text-index/segment.ts';
import type { StoredDoc } from '#shared/domain/platform/text-index/store.ts';
import { keys } from '#shared/table/keys.ts';
import type { Candidate, Records, SearchContext, Source } from '../kind.ts';
import type { SearchQuery } from '../query.ts';
import type { Text } from '../texts.ts';
import { TIER } from '../tiers.ts';

/**
 * Threads by the whole text of their messages, in the indexes of the mailboxes that the caller reads, and of what shares open
 * to the caller and to the caller's groups. All words have to be in one message; the order is by the newest that has them.
 */

/** Messages that are looked up together. */
const SOME = 25;
/** Indexes that are read beside the lists; more are read once the lists do not fill the page. */
const BESIDE = 12;
/** Characters of the part of a text that is shown. */
const PART = 400;

/** A message with the words, and the thread that it is in now. */
interface Place extends Pick<IdRow, 'message_id' | 'thread_id' | 'sent'> {
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

/** The newest first. */
async function* merged(streams: AsyncGenerator<Given>[]): AsyncGenerator<Given> {
  const heads = await Promise.all(streams.map(async (stream) => ({ stream, head: await stream.next() })));
  for (;;) {
    const left = heads.flatMap((each) => (each.head.done ? [] : [{ each, doc: each.head.value }]));
    const first = left.sort((a, b) => byAge(a.doc, b.doc))[0];
    if (!first) return;
    yield first.doc;
    first.each.head = await first.each.stream.next();
  }
}

async function* docsIn(ctx: SearchContext, index: string, { terms }: SearchQuery): AsyncGenerator<Given> {
  for await (const doc of findDocs(ctx.table, index, { terms, now: ctx.now })) yield { ...doc, index };
}

/** Of messages that are in no mailbox of the caller, those that a share opens now. */
async function openedBy({ table, caller: { user } }: SearchContext, rows: IdRow[]): Promise<Set<IdRow>> {
  const threads = await table.getMany<Thread>(rows.map(({ thread_id }) => keys.record('threads', thread_id)));
  const openIn = new Map(threads.map((thread) => [thread.id, openMailboxes(user, thread)]));
  const isOpen = ({ thread_id, mailbox_ids = new Set() }: IdRow) =>
    [...mailbox_ids].some((id) => openIn.get(thread_id)?.has(id));
  return new Set(rows.filter(isOpen));
}

/** Those that the caller may still read where they were found. */
async function placesOf(ctx: SearchContext, found: Given[][]): Promise<Place[]> {
  const { table, caller } = ctx;
  const docs = found.flatMap(([doc]) => doc ?? []);
  const rows = await table.getMany<IdRow>(
    docs.map(({ id, ref }) => keys.messageId(caller.account.id, ref, id)),
  );
  const rowById = new Map(rows.map((row) => [row.message_id, row]));
  const all = docs.flatMap(({ id, moment }, i) => {
    const row = rowById.get(id);
    if (!row) return [];
    const indexes = found[i]?.map(({ index }) => index) ?? [];
    const isHeld = indexes.some((index) => row.mailbox_ids?.has(index));
    const isShared = indexes.some((index) => !Object.hasOwn(caller.user.mailboxes, index));
    return isHeld || isShared ? [{ row, moment, isHeld }] : [];
  });
  const opened = await openedBy(
    ctx,
    all.filter(({ isHeld }) => !isHeld).map(({ row }) => row),
  );
  return all
    .filter(({ row, isHeld }) => isHeld || opened.has(row))
    .map(({ row: { message_id, thread_id, sent }, moment }) => ({ message_id, thread_id, sent, moment }));
}

/** Messages, the newest first, in parts: each in all indexes that have it. */
async function* partsIn(ctx: SearchContext, query: SearchQuery): AsyncGenerator<Given[][]> {
  let some = new Map<string, Given[]>();
  for await (const doc of merged(indexesOf(ctx).map((index) => docsIn(ctx, index, query)))) {
    if (some.size === SOME && !some.has(doc.id)) {
      yield [...some.values()];
      some = new Map();
    }
    some.set(doc.id, [...(some.get(doc.id) ?? []), doc]);
  }
  yield [...some.values()];
}

/** Of a large text, which is not in the table, nothing. */
function textOf(body: StoredBody | undefined): string {
  const { new_plain_text = null, quoted_plain_text = null } = (body && textsOfBody(body)) ?? {};
  return [new_plain_text, quoted_plain_text].filter((text) => text !== null).join('\n');
}

/** The part of a text with the most of the words. */
function partOf(text: string, { terms }: SearchQuery): string {
  const parts = text.match(new RegExp(`[^]{1,${PART}}(?=\\s|$)|[^]{1,${PART}}`, 'gu')) ?? [];
  const found = (part: string) => {
    const words = wordsOf(part);
    return terms.filter((spellings) => spellings.some((term) => matchesTerms([term], words))).length;
  };
  return parts.reduce((best, part) => (found(part) > found(best) ? part : best), parts[0] ?? '');
}

class TextSource implements Source {
  readonly tier = TIER.whole_text;
  readonly exact = true;
  readonly #ctx: SearchContext;
  readonly #query: SearchQuery;
  readonly #records: Records<ThreadEntry>;
  readonly #parts: AsyncGenerator<Given[][]>;
  /** Begun beside the lists. */
  #part: Promise<IteratorResult<Given[][]>> | undefined;
  #places: Promise<Place[] | undefined> | undefined;
  /** Threads that were found. */
  readonly #seen = new Set<string>();
  #ahead: Promise<boolean> | undefined;
  readonly #ready: Candidate[] = [];

  constructor(ctx: SearchContext, query: SearchQuery, records: Records<ThreadEntry>) {
    this.#ctx = ctx;
    this.#query = query;
    this.#records = records;
    this.#parts = partsIn(ctx, query);
    if (indexesOf(ctx).length <= BESIDE) this.#part = begun(this.#parts.next());
  }

  /** Of the next part, the newest message of each thread; undefined when there is none. */
  async #nextPlaces(): Promise<Place[] | undefined> {
    const { done, value } = await (this.#part ?? this.#parts.next());
    this.#part = undefined;
    if (done) return undefined;
    const places = await placesOf(this.#ctx, value);
    return places.filter(({ thread_id }) => !this.#seen.has(thread_id) && this.#seen.add(thread_id));
  }

  /** Where the messages are, beside lists that are read meanwhile. */
  prepare(): void {
    if (this.#part) this.#places ??= begun(this.#nextPlaces());
  }

  async #textsOf(places: Place[]): Promise<Map<string, string>> {
    const { table } = this.#ctx;
    const [messages, bodies] = await Promise.all([
      table.getMany<Message>(
        places.map(({ thread_id, sent, message_id }) => keys.message(thread_id, sent, message_id)),
      ),
      table.getMany<StoredBody>(
        places.map(({ thread_id, message_id }) => keys.body(thread_id, message_id)),
        { consistent: false },
      ),
    ]);
    const bodyById = new Map(bodies.map((body) => [body.message_id, body]));
    return new Map(
      messages.map(({ id, thread_id, snippet }) => [
        thread_id,
        partOf(textOf(bodyById.get(id)), this.#query) || (snippet ?? ''),
      ]),
    );
  }

  async #fill(places: Place[]): Promise<void> {
    const [hits, texts] = await Promise.all([
      this.#records.read(places.map(({ thread_id }) => thread_id)),
      this.#textsOf(places),
    ]);
    const hitById = new Map(hits.map((hit) => [hit.id, hit]));
    const words = this.#query.terms.flat();
    for (const { thread_id: id, moment } of places) {
      const [hit, text] = [hitById.get(id), texts.get(id)];
      if (!hit || text === undefined) continue;
      const found: Text = { field: 'text', text, words };
      this.#ready.push({
        tier: TIER.whole_text,
        id,
        moment,
        hit: { ...hit, moment, texts: [...hit.texts, found] },
      });
    }
  }

  /** Of the next places; false when there are none. */
  async #readPlaces(isGiven = this.#records.isGiven): Promise<boolean> {
    const found = await (this.#places ?? this.#nextPlaces());
    this.#places = undefined;
    if (!found) return false;
    const places = found.filter(({ thread_id }) => !isGiven(thread_id));
    if (places.length > 0) await this.#fill(places);
    return true;
  }

  /** Whatever is given by then: what is found before may turn out not to match. */
  begin(): void {
    this.#ahead ??= begun(this.#readPlaces(() => false));
  }

  async next(): Promise<Candidate | undefined> {
    let more = (await this.#ahead) ?? true;
    this.#ahead = undefined;
    while (more && this.#ready.length === 0) more = await this.#readPlaces();
    return this.#ready.shift();
  }
}

/** Words of one or two Latin letters begin too many words. */
const isTelling = (spellings: readonly string[]) => spellings.every((term) => !/^[a-z0-9]{1,2}$/.test(term));

export const mailTexts = (ctx: SearchContext, query: SearchQuery, records: Records<ThreadEntry>): Source[] =>
  query.terms.some(isTelling) ? [new TextSource(ctx, query, records)] : [];
