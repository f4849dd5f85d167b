import { keys } from '#shared/table/keys.ts';
import { containing } from '#shared/table/table.ts';
import type { Posting } from './posting.ts';
import type { ListRange } from './reader.ts';

/** Characters of a word that its posting stores. */
const KEPT = 64;

const beginning = (characters: string[], length: number) => characters.slice(0, length).join('');

interface PrefixOptions {
  /** Words that also have a list of their first two characters. */
  tellingPair?: RegExp;
  /** Words without a list: searching for one of them checks every row. */
  everywhere?: ReadonlySet<string>;
  /** Words that are found as a whole: each has one list. */
  whole?: RegExp;
}

/**
 * Words are found by their prefixes: a word is in one list for each of these lengths that it reaches, and the posting
 * stores the rest of it. Each further length makes changes more expensive: most writes of a change go to lists of
 * words.
 */
export class Prefixes {
  readonly #lengths: readonly number[];
  readonly #tellingPair: RegExp | undefined;
  readonly #everywhere: ReadonlySet<string>;
  readonly #whole: RegExp | undefined;
  /** The prefixes of words without a list. Other words with the same prefix have lists. */
  readonly #beginEverywhere: ReadonlySet<string>;

  constructor(
    lengths: readonly number[],
    { tellingPair, everywhere = new Set(), whole }: PrefixOptions = {},
  ) {
    this.#lengths = lengths;
    this.#tellingPair = tellingPair;
    this.#everywhere = everywhere;
    this.#whole = whole;
    this.#beginEverywhere = new Set(
      [...everywhere].flatMap((word) => [...word].map((_, end) => word.slice(0, end + 1))),
    );
  }

  /** Shortest first. */
  of(word: string): string[] {
    if (this.#everywhere.has(word)) return [];
    if (this.#whole?.test(word)) return [word];
    const characters = [...word];
    const prefixes = this.#lengths
      .filter((length) => length <= characters.length)
      .map((length) => beginning(characters, length));
    const pair = beginning(characters, 2);
    return characters.length > 1 && this.#tellingPair?.test(pair) ? [pair, ...prefixes] : prefixes;
  }

  /** The longest prefix that all words share which begin with the term; undefined when some of them have no list. */
  for(term: string): string | undefined {
    return this.#beginEverywhere.has(term) ? undefined : this.of(term).at(-1);
  }

  /** The postings of words in the lists of their prefixes. */
  postings(
    words: string[],
    at: { owner: string; rank: string },
    listOf: (prefix: string) => string,
  ): Posting[] {
    const wordsBy = new Map<string, string[]>();
    for (const word of words)
      for (const prefix of this.of(word)) wordsBy.set(prefix, [...(wordsBy.get(prefix) ?? []), word]);
    return [...wordsBy].map(([prefix, beginningSo]) => {
      const longer = tail(prefix, beginningSo);
      return {
        ...keys.posting(at.owner, listOf(prefix), at.rank),
        ...(longer === undefined ? {} : { words: longer }),
      };
    });
  }

  /** A range of each list for the words that begin with the term; undefined as in `for`. */
  ranges(term: string, listsOf: (prefix: string) => string[]): ListRange[] | undefined {
    const prefix = this.for(term);
    if (prefix === undefined) return undefined;
    const behind = tailTerm(prefix, term);
    const filter = behind === undefined ? {} : { filter: { words: containing(behind) } };
    return listsOf(prefix).map((list) => ({ list, ...filter }));
  }
}

/** The words longer than their prefix, as text in which a term follows a space. */
export function tail(prefix: string, words: string[]): string | undefined {
  const longer = words.filter((word) => word !== prefix);
  return longer.length === 0 ? undefined : longer.map((word) => ` ${word.slice(0, KEPT)}`).join('');
}

/** What to search for in a tail; undefined when the prefix alone decides. */
export function tailTerm(prefix: string, term: string): string | undefined {
  return term === prefix ? undefined : ` ${term.slice(0, KEPT)}`;
}
