import type { Candidate, SearchType, Source } from './kind.ts';
import { isBefore } from './tiers.ts';

/** The candidates of several sources as one list, each record once. */

export interface TypedSource {
  type: SearchType;
  source: Source;
}

export interface Found extends Candidate {
  type: SearchType;
  exact: boolean;
}

export const nameOf = ({ type, id }: Pick<Found, 'type' | 'id'>) => `${type} ${id}`;

/** Guesses that are taken beside what is wanted, so that they are read together. */
const GUESSES = 50;

export class Merge {
  readonly #heads = new Map<TypedSource, Found>();
  readonly #seen: Set<string>;
  #hungry: TypedSource[];

  /** `seen` are the records that were given before, here or by another list. */
  constructor(sources: TypedSource[], seen: Set<string>) {
    this.#seen = seen;
    this.#hungry = sources;
  }

  async #fill(each: TypedSource): Promise<void> {
    this.#heads.delete(each);
    const { type, source } = each;
    for (let next = await source.next(); next; next = await source.next()) {
      const found = { ...next, type, exact: next.exact ?? source.exact };
      if (this.#seen.has(nameOf(found))) continue;
      this.#heads.set(each, found);
      return;
    }
  }

  async #next(): Promise<Found | undefined> {
    const hungry = this.#hungry;
    this.#hungry = [];
    await Promise.all(hungry.map((each) => this.#fill(each)));
    let best: Found | undefined;
    for (const head of this.#heads.values()) if (!best || isBefore(head, best)) best = head;
    if (!best) return undefined;
    const name = nameOf(best);
    this.#seen.add(name);
    // Several sources may have the record.
    this.#hungry = [...this.#heads].flatMap(([each, head]) => (nameOf(head) === name ? [each] : []));
    return best;
  }

  /** So many, and the guesses among them. */
  async take(count: number): Promise<Found[]> {
    const taken: Found[] = [];
    let guesses = 0;
    while (taken.length - guesses < count) {
      const next = await this.#next();
      if (!next) break;
      taken.push(next);
      if (next.is_guess && guesses < GUESSES) guesses++;
    }
    return taken;
  }
}
