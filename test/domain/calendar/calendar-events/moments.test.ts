import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { momentsBetween, nextMomentOf } from '#shared/domain/calendar/calendar-events/moments.ts';
import { checkedSeries } from '#shared/domain/calendar/calendar-events/occurrences.ts';
import { reduced } from '../../../support/long.ts';
import { zoneAndMoment } from '../../../support/zones.ts';

/** When a series reminds, against every day worked out one by one. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const iso = (moment: number) => new Date(moment).toISOString();

const minutes = fc.uniqueArray(
  fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 40_320 })),
  {
    minLength: 1,
    maxLength: 3,
  },
);

const given = fc.record({
  zoned: zoneAndMoment,
  /** Days from one occurrence to the next, and their number. */
  interval: fc.integer({ min: 1, max: 9 }),
  count: fc.integer({ min: 2, max: 40 }),
  reminders: fc.dictionary(fc.constantFrom('ada', 'grace'), minutes, { minKeys: 1 }),
  /** Minutes from the first start to the moment that is asked about. */
  from: fc.integer({ min: -40_000, max: 40_000 }),
  days: fc.integer({ min: 0, max: 20 }),
});

type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

function seriesOf({ zoned: { zone, moment }, interval, count, reminders }: Given): CalendarEvent {
  const start = Math.floor(moment / MINUTE) * MINUTE;
  const series = {
    ...{ id: 'series', handle: '1', time_zone: zone, all_day: false, starts_on: null, ends_on: null },
    ...{ starts_at: iso(start), ends_at: iso(start + MINUTE), reminders },
    recurrence: [`RRULE:FREQ=DAILY;INTERVAL=${interval};COUNT=${count}`],
  };
  return checkedSeries(series as unknown as CalendarEvent);
}

/** The moments of all occurrences, the earliest first. */
function expected({ time_zone, starts_at }: CalendarEvent, { interval, count, reminders }: Given): number[] {
  const first = Temporal.Instant.from(starts_at)
    .toZonedDateTimeISO(time_zone as string)
    .toPlainDateTime();
  const all = new Set(Object.values(reminders).flat());
  const moments = Array.from({ length: count }, (_, i) => {
    const local = first.add({ days: i * interval });
    const start = local.toZonedDateTime(time_zone as string).epochMilliseconds;
    return [...all].map((each) => start - each * MINUTE);
  });
  return moments.flat().sort((a, b) => a - b);
}

it('reminds of every occurrence at its local time, and of nothing else', () => {
  fc.assert(
    fc.property(given, (drawn) => {
      const series = seriesOf(drawn);
      const all = expected(series, drawn);
      const from = Date.parse(series.starts_at) + drawn.from * MINUTE;
      const to = from + drawn.days * DAY;
      expect(nextMomentOf(series, from)).toBe(all.find((at) => at > from));
      const found = momentsBetween(series, from, to).map(({ at }) => at);
      expect(found).toEqual(all.filter((at) => at > from && at <= to));
    }),
    { numRuns: reduced(800) },
  );
});
