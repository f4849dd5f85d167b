import { begun } from '#shared/begun.ts';
import { inSubject } from '#shared/domain/mail/texts/words.ts';
import type { Candidate, SearchContext, Source } from '../kind.ts';
import type { SearchQuery } from '../query.ts';
import { TIER } from '../tiers.ts';
import { messagesFor, type Place } from './messages.ts';

/**
 * Threads by several words of a subject: by the newest message that has all of them there. What is read of a thread decides whether
 * its own subject has them. The lists of each word name far more threads than have all (docs/decisions/0088).
 */

/** Words that are looked up; further ones are checked on the threads found. */
const MAX_WORDS = 4;

/** The newest message of each thread. */
class Newest {
  readonly #parts: AsyncGenerator<Place[]>;
  readonly #seen = new Set<string>();
  #known: Place[] = [];
  #ended = false;

  constructor(parts: AsyncGenerator<Place[]>) {
    this.#parts = parts;
  }

  /** Whether the next one is known, or that there is none. */
  get isReady(): boolean {
    return this.#ended || this.#known.length > 0;
  }

  async read(): Promise<void> {
    while (!this.isReady) {
      const { done, value } = await this.#parts.next();
      if (done) this.#ended = true;
      else
        this.#known = value.filter(
          ({ thread_id }) => !this.#seen.has(thread_id) && this.#seen.add(thread_id),
        );
    }
  }

  async next(): Promise<Place | undefined> {
    await this.read();
    return this.#known.shift();
  }
}

export function subjectSource(ctx: SearchContext, { terms }: SearchQuery, wanted: number): Source {
  const longest = terms.toSorted(([a = ''], [b = '']) => b.length - a.length).slice(0, MAX_WORDS);
  const words = longest.map((spellings) => spellings.map(inSubject));
  const threads = new Newest(messagesFor(ctx).places(words, wanted));
  let ahead: Promise<void> | undefined;
  return {
    ...{ tier: TIER.title, exact: terms.length <= MAX_WORDS },
    begin() {
      ahead ??= begun(threads.read());
      return undefined;
    },
    isReady: () => threads.isReady,
    async next(): Promise<Candidate | undefined> {
      await ahead;
      const place = await threads.next();
      return place && { tier: TIER.title, id: place.thread_id, moment: place.moment };
    },
  };
}
