import { seesDetails } from '#shared/domain/calendar/calendar-events/access.ts';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { occurrencesIn } from '#shared/domain/calendar/calendar-events/expand.ts';
import { eventQuery } from '#shared/domain/calendar/calendar-events/find.ts';
import { eventIndex } from '#shared/domain/calendar/calendar-events/lists.ts';
import { shownElsewhere } from '#shared/domain/calendar/calendar-events/one-meeting.ts';
import { textList, titleList, wordList } from '#shared/domain/collaboration/record-lists/entry.ts';
import { readMatching } from '#shared/domain/collaboration/record-lists/matching.ts';
import { isIndexed } from '../indexed.ts';
import type { Hit, ListContext, Searchable, SearchContext, Source } from '../kind.ts';
import type { SearchQuery } from '../query.ts';
import { recordSource } from '../record-source.ts';
import { textIn, titleIn } from '../texts.ts';
import { TIER, type Tier } from '../tiers.ts';
import { sortedSource } from '../whole-list.ts';

/**
 * Calendar events in the search over all records: single ones and occurrences that have something of their own for
 * themselves, and each series once, by its next occurrence, or the last one.
 */

const NEVER = Number.POSITIVE_INFINITY;

/** Those that the caller sees, as they are stored, without what is shown by other events. */
async function readEvents(ctx: SearchContext, ids: string[]): Promise<CalendarEvent[]> {
  const query = eventQuery(ctx, [], { sort: 'starts_at', order: 'desc' });
  const events = await readMatching(ctx, query, [...new Set(ids)]);
  const series_ids = events.flatMap(({ recurring_event_id: id }) => id ?? []);
  const series = series_ids.length > 0 ? await readMatching(ctx, query, [...new Set(series_ids)]) : [];
  const whole = [...events.filter(({ recurring_event_id: id }) => id === null), ...series];
  const elsewhere = await shownElsewhere(ctx, whole, []);
  return events.filter(({ id, recurring_event_id }) => !elsewhere.has(recurring_event_id ?? id));
}

/** Without texts for who sees only when it is. */
function hitOf({ caller: { user } }: SearchContext, event: CalendarEvent): Hit<CalendarEvent> {
  const { id, name, location, attendees } = event;
  const people = attendees.flatMap(({ email_address, user: one }) => [one?.name, email_address]);
  const texts = [
    ...titleIn('name', name),
    ...titleIn('location', location),
    ...textIn('attendees', ...people),
  ];
  return {
    ...{ id, record: event, label: name, moment: Date.parse(event.starts_at) },
    texts: seesDetails(user, event) ? texts : [],
  };
}

/** The next occurrence that has nothing of its own, or the last one; undefined where all are stored or deleted. */
function shownFor(series: CalendarEvent, now: number): CalendarEvent | undefined {
  const all = { starts_before: NEVER, horizon: NEVER };
  const [next] = occurrencesIn(series, {
    ...{ segment: { ...all, ends_after: now, ends_by: NEVER }, order: 'asc', after: undefined, limit: 0 },
  });
  if (next) return next;
  const [last] = occurrencesIn(series, {
    ...{ segment: { ...all, ends_after: -NEVER, ends_by: now }, order: 'desc', after: undefined, limit: 0 },
  });
  return last;
}

async function seriesHits(ctx: SearchContext, source: Source): Promise<Hit<CalendarEvent>[]> {
  const ids: string[] = [];
  for (let next = await source.next(); next; next = await source.next()) ids.push(next.id);
  if (ids.length === 0) return [];
  const series = await readEvents(ctx, ids);
  return series.flatMap((each) => {
    const shown = shownFor(each, ctx.now.getTime());
    return shown ? [hitOf(ctx, shown)] : [];
  });
}

const sourcesIn =
  (tier: Tier, single: Named, repeated: Named) =>
  (ctx: ListContext, query: SearchQuery, wanted: number): Source[] => {
    const of = (order: string, named: Named) =>
      // Private events are not found by words.
      recordSource(ctx, { index: eventIndex, order, named, tier, guarded: true }, query, wanted);
    const series = of('series', repeated);
    return [
      ...(isIndexed(query, wanted) ? [] : [of('starts_at', single)]),
      sortedSource(() => seriesHits(ctx, series), { query, named: false, tier }),
    ];
  };

type Named = ((prefix: string) => string)[];

export const searchableEvents: Searchable<CalendarEvent> = {
  named: false,
  titled: sourcesIn(TIER.title, [wordList], [titleList]),
  mentioning: sourcesIn(TIER.text, [wordList, textList], [titleList, textList]),
  async read(ctx, ids) {
    const events = await readEvents(ctx, ids);
    return events.filter(({ recurrence }) => recurrence === null).map((event) => hitOf(ctx, event));
  },
  sublabels: async (_, events) => events.map(({ location }) => location),
};
