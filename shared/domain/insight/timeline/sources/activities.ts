import type { Activity } from '#shared/domain/collaboration/activity/activity.ts';
import type { Key } from '#shared/table/keys.ts';
import { timeRank } from '#shared/table/keys.ts';
import type { Shown } from '../entry.ts';
import { type Candidate, candidateOf, type Range, type Source, type TimelineContext } from '../source.ts';
import { showActivities } from './show-activities.ts';

/** What happened to a record, in an account, or by a user. */

/** Items of one read: DynamoDB ends a query at 1 MB. */
const LARGEST_READ = 2_000;

/** Those of other types are passed over; so many count as one that is checked. */
const PASSED = 10;

export class Activities implements Source<Activity> {
  readonly #ctx: TimelineContext;
  readonly #first: Key;
  readonly #upto: number;
  readonly #types: ReadonlySet<string>;
  #size: number;
  #page: Activity[] = [];
  #last: Record<string, unknown> | undefined;
  #ended = false;
  /** A merged record may have had it twice. */
  #given = new Set<string>();
  #at = Number.NaN;
  #passed = 0;

  constructor(ctx: TimelineContext, first: Key, { upto, wanted }: Range, types: ReadonlySet<string>) {
    this.#ctx = ctx;
    this.#first = first;
    this.#upto = upto;
    this.#types = types;
    this.#size = wanted;
  }

  async #read(): Promise<void> {
    const { PK, SK } = this.#first;
    const page = await this.#ctx.table.query<Activity>({
      partition: PK,
      sort: { from: SK, to: `${SK}${timeRank(this.#upto)}~` },
      newest_first: true,
      limit: this.#size,
      after: this.#last,
    });
    this.#page = page.items;
    this.#last = page.last;
    this.#ended = page.last === undefined;
    this.#size = Math.min(2 * this.#size, LARGEST_READ);
  }

  #isNew({ id, moment }: Activity): boolean {
    if (moment !== this.#at) this.#given = new Set();
    this.#at = moment;
    if (this.#given.has(id)) return false;
    this.#given.add(id);
    return true;
  }

  #isPassed({ type }: Activity): boolean {
    if (this.#types.has(type)) return false;
    this.#passed += 1;
    return this.#passed % PASSED !== 0;
  }

  async next(): Promise<Candidate<Activity> | undefined> {
    for (;;) {
      const activity = this.#page.shift();
      if (activity && this.#isNew(activity) && !this.#isPassed(activity))
        return candidateOf(activity.id, activity.moment, activity);
      if (activity) continue;
      if (this.#ended) return undefined;
      await this.#read();
    }
  }

  async show(candidates: Candidate<Activity>[]): Promise<ReadonlyMap<string, Shown>> {
    const wanted = candidates.map(({ item }) => item).filter(({ type }) => this.#types.has(type));
    return showActivities(this.#ctx, wanted);
  }
}
