import { begun } from '#shared/begun.ts';
import { type StoredBody, textsOfBody } from '#shared/domain/mail/threads/body.ts';
import type { Message, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import type { Candidate, Records, SearchContext, Source } from '../kind.ts';
import type { SearchQuery } from '../query.ts';
import { matchedTexts, type Text, tellingText, textIn, tierOf } from '../texts.ts';
import { TIER } from '../tiers.ts';
import { isLookedFor, messagesFor, NewestOfThreads, type Place } from './messages.ts';

/**
 * Threads by what a message says, its people included. All words have to be in one message; the order is by the newest that
 * has them.
 */

/** Characters of the part of a text that is shown. */
const PART = 400;

/** Characters of a word that not much mail has. */
const LONG = 5;

/** Threads that are read beside what is wanted: some may be given already, or be hidden. */
const SPARE = 4;

/** Of a large text, which is not in the table, nothing. */
function textOf(body: StoredBody | undefined): string {
  const { new_plain_text = null, quoted_plain_text = null } = (body && textsOfBody(body)) ?? {};
  return [new_plain_text, quoted_plain_text].filter((text) => text !== null).join('\n');
}

const partsOf = (text: string): string[] =>
  text.match(new RegExp(`[^]{1,${PART}}(?=\\s|$)|[^]{1,${PART}}`, 'gu')) ?? [];

const peopleOf = ({ from, to, cc }: Message): string[] =>
  [...(from ? [from] : []), ...to, ...cc].map(({ name, email_address }) =>
    name === null ? email_address : `${name}, ${email_address}`,
  );

/** What shows why a message is found: of its text, else of its people; the beginning of a text that is not in the table. */
function shownOf(
  message: Message,
  body: StoredBody | undefined,
  query: SearchQuery,
): Pick<Text, 'field' | 'text'> {
  const parts = textIn('text', ...partsOf(textOf(body)));
  const people = textIn('participants', ...peopleOf(message));
  const [found] = [parts, people]
    .map((texts) => matchedTexts(texts, query))
    .filter(({ length }) => length > 0);
  return found ? tellingText(found, query) : (parts[0] ?? { field: 'text', text: message.snippet ?? '' });
}

/** Short beginnings of several words are in much mail: lists tell soon whether they fill the page without. */
const isCheap = ({ terms }: SearchQuery): boolean =>
  terms.length === 1 || terms.some((spellings) => spellings.every(({ length }) => length >= LONG));

class TextSource implements Source {
  readonly tier = TIER.whole_text;
  readonly exact = true;
  readonly #ctx: SearchContext;
  readonly #query: SearchQuery;
  readonly #records: Records<ThreadEntry>;
  readonly #threads: NewestOfThreads;
  #ahead: Promise<boolean> | undefined;
  readonly #ready: Candidate[] = [];

  constructor(ctx: SearchContext, query: SearchQuery, records: Records<ThreadEntry>) {
    this.#ctx = ctx;
    this.#query = query;
    this.#records = records;
    const messages = messagesFor(ctx);
    this.#threads = new NewestOfThreads(() => messages.find(query.terms));
    if (messages.isBesideLists && isCheap(query)) this.prepare();
  }

  prepare(): void {
    void this.#threads.read();
  }

  async #shownOf(places: Place[]): Promise<Map<string, Pick<Text, 'field' | 'text'>>> {
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
      messages.map((message) => [message.thread_id, shownOf(message, bodyById.get(message.id), this.#query)]),
    );
  }

  async #fill(places: Place[]): Promise<void> {
    const [hits, shown] = await Promise.all([
      this.#records.read(places.map(({ thread_id }) => thread_id)),
      this.#shownOf(places),
    ]);
    const hitById = new Map(hits.map((hit) => [hit.id, hit]));
    const words = this.#query.terms.flat();
    for (const { thread_id: id, moment } of places) {
      const [hit, text] = [hitById.get(id), shown.get(id)];
      if (!hit || !text) continue;
      const texts = tierOf(hit.texts, this.#query, false) ? hit.texts : [...hit.texts, { ...text, words }];
      this.#ready.push({
        tier: TIER.whole_text,
        id,
        moment,
        hit: { ...hit, moment, texts },
      });
    }
  }

  /** Of the next places; false when there are none. */
  async #readPlaces(count = Number.POSITIVE_INFINITY, isGiven = this.#records.isGiven): Promise<boolean> {
    const found = await this.#threads.take(count);
    const places = found.filter(({ thread_id }) => !isGiven(thread_id));
    if (places.length > 0) await this.#fill(places);
    return found.length > 0;
  }

  /** Whatever is given by then: what is found before may turn out not to match. */
  begin(count: number): undefined {
    this.#ahead ??= begun(this.#readPlaces(count + SPARE, () => false));
  }

  async next(): Promise<Candidate | undefined> {
    let more = (await this.#ahead) ?? true;
    this.#ahead = undefined;
    while (more && this.#ready.length === 0) more = await this.#readPlaces();
    return this.#ready.shift();
  }
}

export const mailTexts = (ctx: SearchContext, query: SearchQuery, records: Records<ThreadEntry>): Source[] =>
  isLookedFor(query) ? [new TextSource(ctx, query, records)] : [];
