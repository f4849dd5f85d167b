import type { Candidate, SearchType, Source } from './kind.ts';
import { isBefore } from './tiers.ts';

/** The candidates of several sources as one list, each record once. */

export interface TypedSource {
  /** Undefined where its candidates say it. */
  type?: SearchType;
  source: Source;
}

export interface Found extends Candidate {
  type: SearchType;
  exact: boolean;
}

export const nameOf = ({ type, id }: Pick<Found, 'type' | 'id'>) => `${type} ${id}`;

/** Guesses that are taken beside what is wanted, so that they are read together. */
export const GUESSES = 50;

export class Merge {
  readonly #heads = new Map<TypedSource, Found>();
  readonly #seen: Set<string>;
  #hungry: TypedSource[];

  /** `seen` are the records that were given before, here or by another list. */
  constructor(sources: TypedSource[], seen: Set<string>) {
    this.#seen = seen;
    this.#hungry = [...sources];
  }

  async #fill(each: TypedSource): Promise<void> {
    const { type, source } = each;
    for (let next = await source.next(); next; next = await source.next()) {
      const found = { ...next, type: (next.type ?? type) as SearchType, exact: next.exact ?? source.exact };
      if (this.#seen.has(nameOf(found))) continue;
      this.#heads.set(each, found);
      return;
    }
  }

  #best(): Found | undefined {
    let best: Found | undefined;
    for (const head of this.#heads.values()) if (!best || isBefore(head, best)) best = head;
    return best;
  }

  /** Whether all were given. */
  get ended(): boolean {
    return this.#heads.size === 0 && this.#hungry.length === 0;
  }

  /** All at once, for so many. How many are known then; what takes a read more is waited for where lists took as long. */
  async begin(count: number): Promise<number> {
    const sources = this.#hungry.map(({ source }) => source);
    const begun = await Promise.all(sources.map((source) => source.begin?.(count)));
    const known = begun.flatMap((each) => each ?? []);
    const isLate = known.some(({ reads }) => reads > 1);
    const likely = isLate ? await Promise.all(sources.map((source) => source.likely?.() ?? 0)) : [];
    return Math.floor([...known.map((each) => each.count), ...likely].reduce((sum, each) => sum + each, 0));
  }

  /** Those of a worse tier than what is found, or than `worst`, are not read further. */
  async #fillBest(worst: number): Promise<Found | undefined> {
    for (;;) {
      const best = this.#best();
      const tier = best?.tier ?? Math.min(...this.#hungry.map(({ source }) => source.tier));
      const open = this.#hungry.filter(({ source }) => source.tier <= Math.min(tier, worst));
      if (open.length === 0) return best && best.tier <= worst ? best : undefined;
      this.#hungry = this.#hungry.filter((each) => !open.includes(each));
      await Promise.all(open.map((each) => this.#fill(each)));
    }
  }

  async #next(worst: number): Promise<Found | undefined> {
    const best = await this.#fillBest(worst);
    if (!best) return undefined;
    const name = nameOf(best);
    this.#seen.add(name);
    // Several sources may have the record.
    const same = [...this.#heads].flatMap(([each, head]) => (nameOf(head) === name ? [each] : []));
    for (const each of same) this.#heads.delete(each);
    this.#hungry.push(...same);
    return best;
  }

  /** Whether nothing has to be read before the next one of this tier or a better one. */
  #isReady(worst: number): boolean {
    return this.#hungry.every(({ source }) => source.tier > worst || (source.isReady?.() ?? true));
  }

  /** So many that match, as far as is known, of a worse tier only when all together are not so many. */
  async take(count: number): Promise<Found[]> {
    const taken: Found[] = [];
    let sure = 0;
    while (sure < count && taken.length < count + GUESSES) {
      const worst = (taken.length < count ? undefined : taken.at(-1)?.tier) ?? Number.POSITIVE_INFINITY;
      if (taken.length >= count && !this.#isReady(worst)) break;
      const next = await this.#next(worst);
      if (!next) break;
      taken.push(next);
      if (!next.guess) sure++;
    }
    return taken;
  }
}
