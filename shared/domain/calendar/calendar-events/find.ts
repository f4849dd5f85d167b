import { begun } from '#shared/begun.ts';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import type { Query } from '#shared/domain/collaboration/record-lists/matching.ts';
import type { PlacedPage } from '#shared/domain/collaboration/record-lists/sorted.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Page } from '#shared/domain/platform/postings/page.ts';
import { behind, isAhead, type Order } from '#shared/domain/platform/postings/reader.ts';
import { timeRank } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { readsMailbox } from './access.ts';
import type { CalendarEvent } from './event.ts';
import { occurrencesIn, type Reading } from './expand.ts';
import { eventIndex } from './lists.ts';
import { whole } from './load.ts';
import { shownElsewhere } from './one-meeting.ts';
import { rankOfEvent } from './rank.ts';
import { segmentCriteria, type Window } from './window.ts';

/**
 * Pages of events: those that are stored, from their lists, merged with the occurrences of series, which are few and read
 * as a whole (docs/decisions/0041).
 */

/** A place between two events of the list. */
export interface Place {
  segment: number;
  bound: string;
}

export interface EventPage {
  rows: CalendarEvent[];
  next: Place | null;
  prev: Place | null;
}

type Part = { rows: CalendarEvent[]; next: Place | null };

interface Series {
  shown: CalendarEvent[];
  /** Of those that are copies of others. */
  elsewhere: Set<string>;
}

/** Before and after every rank of a segment. */
const EDGE: Record<Order, string> = { asc: '!', desc: '~' };
const opposite: Record<Order, Order> = { asc: 'desc', desc: 'asc' };

/** Series that are read together. */
const SERIES = 1_000;

/** Of events as they are stored: `starts_at` is the order of single ones and of exceptions, `series` that of series. */
export function eventQuery(
  { caller: { user } }: CallerContext,
  criteria: Criterion<CalendarEvent>[],
  by: { sort: 'starts_at' | 'series'; order: Order },
): Query<CalendarEvent> {
  return { index: eventIndex, criteria, ...by, seesLink: async (event) => readsMailbox(user, event) };
}

/** All series that the caller sees and that have not ended before a moment, in milliseconds. */
export async function readSeries(ctx: CallerContext, earliest: number): Promise<CalendarEvent[]> {
  const found: CalendarEvent[] = [];
  let after: string | undefined = `1${timeRank(earliest)}`;
  do {
    const query = eventQuery(ctx, [], { sort: 'series', order: 'asc' });
    const page: Page<CalendarEvent> = await findRecords(ctx, query, { limit: SERIES, after });
    found.push(...page.rows);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return found;
}

export class EventList {
  readonly #ctx: CallerContext;
  readonly #window: Window;
  readonly #criteria: Criterion<CalendarEvent>[];
  readonly #copies: boolean;
  readonly #series: Promise<Series>;

  /** With `copies`, a meeting in several calendars is each of its events. */
  constructor(
    ctx: CallerContext,
    window: Window,
    criteria: Criterion<CalendarEvent>[],
    { copies = false }: { copies?: boolean } = {},
  ) {
    this.#ctx = ctx;
    this.#window = window;
    this.#criteria = criteria;
    this.#copies = copies;
    this.#series = begun(this.#readSeries());
  }

  #elsewhere(events: CalendarEvent[]): Promise<Set<string>> {
    return this.#copies ? Promise.resolve(new Set()) : shownElsewhere(this.#ctx, events, this.#criteria);
  }

  async #readSeries(): Promise<Series> {
    const earliest = this.#window.segments[0]?.ends_after ?? Number.NEGATIVE_INFINITY;
    const found = await readSeries(this.#ctx, earliest);
    const elsewhere = await this.#elsewhere(found);
    return { shown: found.filter(({ id }) => !elsewhere.has(id)), elsewhere };
  }

  async #stored({ segment, order, after, limit }: Reading): Promise<PlacedPage<CalendarEvent>> {
    const criteria = [...this.#criteria, ...segmentCriteria(segment)];
    const query = eventQuery(this.#ctx, criteria, { sort: 'starts_at', order });
    const index = {
      ...eventIndex,
      whole: (table: Table, stored: CalendarEvent[]) => this.#whole(table, stored),
    };
    return findRecords(this.#ctx, { ...query, index }, { limit, after });
  }

  /** Without what is shown by other events: copies of one meeting. */
  async #whole(table: Table, stored: CalendarEvent[]): Promise<CalendarEvent[]> {
    const series = await this.#series;
    const rows = await whole(table, stored, new Map(series.shown.map((each) => [each.id, each])));
    const single = rows.filter(({ recurring_event_id }) => recurring_event_id === null);
    const elsewhere = await this.#elsewhere(single);
    return rows.filter(
      ({ id, recurring_event_id }) => !elsewhere.has(id) && !series.elsewhere.has(recurring_event_id ?? ''),
    );
  }

  async #repeated(reading: Reading): Promise<CalendarEvent[]> {
    const series = (await this.#series).shown.filter((each) =>
      this.#criteria.every(({ keeps }) => keeps(each)),
    );
    return series.flatMap((each) => occurrencesIn(each, reading));
  }

  /** Of one segment. */
  async #read(reading: Reading): Promise<Page<CalendarEvent>> {
    const { order, limit } = reading;
    const [stored, repeated] = await Promise.all([this.#stored(reading), this.#repeated(reading)]);
    // An occurrence may have been stored after its series was read.
    const known = new Set(stored.rows.map(({ id }) => id));
    const isRead = (event: CalendarEvent) =>
      !known.has(event.id) && (stored.next === null || isAhead[order](rankOfEvent(event), stored.next));
    const rank = (event: CalendarEvent) => (known.has(event.id) ? stored.rankOf(event) : rankOfEvent(event));
    const rows = [...stored.rows, ...repeated.filter(isRead)].sort((a, b) =>
      isAhead[order](rank(a), rank(b)) ? -1 : 1,
    );
    if (rows.length <= limit) return { rows, next: stored.next };
    return { rows: rows.slice(0, limit), next: behind[order](rank(rows[limit - 1] as CalendarEvent)) };
  }

  /** From a place on, in one direction, over the segments. */
  async #from({ segment: first, bound }: Place, order: Order, limit: number): Promise<Part> {
    const rows: CalendarEvent[] = [];
    let [at, after]: [number, string | undefined] = [first, bound];
    for (;;) {
      const segment = this.#window.segments[at];
      if (!segment) return { rows, next: null };
      const left = Math.max(1, limit - rows.length);
      const page = await this.#read({ segment, order, after, limit: left });
      if (rows.length === limit)
        return {
          rows,
          next: page.rows.length > 0 || page.next !== null ? { segment: at, bound: EDGE[order] } : null,
        };
      rows.push(...page.rows);
      if (page.next !== null) return { rows, next: { segment: at, bound: page.next } };
      at += order === 'asc' ? 1 : -1;
      after = undefined;
    }
  }

  /** The first ones alone. */
  async first(limit: number): Promise<CalendarEvent[]> {
    const { onwards, first } = this.#window;
    return (await this.#from({ segment: first, bound: EDGE[onwards] }, onwards, limit)).rows;
  }

  /** From a place on, and where it goes on; without a look back. */
  further(place: Place, limit: number): Promise<Part> {
    return this.#from(place, this.#window.onwards, limit);
  }

  async page(place: { after: Place } | { before: Place } | undefined, limit: number): Promise<EventPage> {
    const { onwards, first } = this.#window;
    const back = opposite[onwards];
    if (place && 'before' in place) {
      const [page, beyond] = await Promise.all([
        this.#from(place.before, back, limit),
        this.#from(place.before, onwards, 1),
      ]);
      return { rows: page.rows.reverse(), prev: page.next, next: isSome(beyond) ? place.before : null };
    }
    const start = place?.after ?? { segment: first, bound: EDGE[onwards] };
    const [page, beyond] = await Promise.all([this.#from(start, onwards, limit), this.#from(start, back, 1)]);
    return { rows: page.rows, next: page.next, prev: isSome(beyond) ? start : null };
  }
}

const isSome = ({ rows, next }: Part) => rows.length > 0 || next !== null;
