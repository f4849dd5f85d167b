import { compareMoments, type Moment } from './moment.ts';
import type { Candidate, Source } from './source.ts';

/** The candidates of several sources as one list, newest first. */

export interface Merged {
  source: Source;
  candidate: Candidate;
}

const isSame = (a: Moment, b: Moment) => compareMoments(a, b) === 0;

const byMoment = (a: Merged, b: Merged) =>
  compareMoments(a.candidate, b.candidate) || (a.candidate.id < b.candidate.id ? 1 : -1);

export class Merge {
  readonly #heads = new Map<Source, Candidate>();
  readonly #before: Moment | undefined;
  #hungry: Source[];
  /** Those of one millisecond: lists know no order among them. */
  #waiting: Merged[] = [];

  constructor(sources: Source[], before: Moment | undefined) {
    this.#hungry = sources;
    this.#before = before;
  }

  async #fill(): Promise<void> {
    const hungry = this.#hungry;
    this.#hungry = [];
    await Promise.all(
      hungry.map(async (source) => {
        const next = await source.next();
        if (next) this.#heads.set(source, next);
        else this.#heads.delete(source);
      }),
    );
  }

  /** All of the newest millisecond; false at the end. */
  async #fillMillisecond(): Promise<boolean> {
    await this.#fill();
    if (this.#heads.size === 0) return false;
    const at = Math.max(...[...this.#heads.values()].map((head) => head.at));
    const found: Merged[] = [];
    for (;;) {
      const heads = [...this.#heads].filter(([, head]) => head.at >= at);
      if (heads.length === 0) break;
      found.push(...heads.map(([source, candidate]) => ({ source, candidate })));
      this.#hungry = heads.map(([source]) => source);
      await this.#fill();
    }
    const before = this.#before;
    this.#waiting = found
      .filter(({ candidate }) => !before || compareMoments(candidate, before) > 0)
      .sort(byMoment);
    return true;
  }

  /** The next ones, and all others of the last one's moment; none at the end. */
  async take(count: number): Promise<Merged[]> {
    const taken: Merged[] = [];
    for (;;) {
      const [next] = this.#waiting;
      const last = taken.at(-1);
      if (last && taken.length >= count && (!next || !isSame(next.candidate, last.candidate))) return taken;
      if (next) taken.push(this.#waiting.shift() as Merged);
      else if (!(await this.#fillMillisecond())) return taken;
    }
  }
}
