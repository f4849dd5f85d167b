import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  briefingId,
  dateIn,
  dateOfId,
  isBeforeMorning,
  momentOf,
  nextMorning,
} from '#shared/domain/assistant/daily-briefings/day.ts';
import { newId } from '#shared/ids.ts';
import { longIt } from '../../../support/long.ts';
import { zoneAndMoment } from '../../../support/zones.ts';

const MINUTE = 60_000;

/** By another calendar than the one of the service. */
function clock(timeZone: string, moment: number): string {
  const options = { dateStyle: 'short', timeStyle: 'short', timeZone } as const;
  return new Intl.DateTimeFormat('sv-SE', options).format(new Date(moment));
}

const dateOf = (zone: string, moment: number) => clock(zone, moment).slice(0, 10);

describe('mornings', () => {
  longIt('every date of every time zone has one, and its first minute is six o’clock', () => {
    fc.assert(
      fc.property(zoneAndMoment, ({ zone, moment }) => {
        let [last, date] = [moment, dateOf(zone, moment)];
        for (let days = 0; days < 4; days++) {
          const next = nextMorning(new Date(last), zone);
          const gone = nextMorning(new Date(next - MINUTE), zone);
          expect(gone).toBe(next);
          expect(next).toBeGreaterThan(last);
          expect(clock(zone, next).slice(11)).toBe('06:00');
          const dateOfNext = dateOf(zone, next);
          // Nothing between them is a date without a morning: Apia had no 30 December 2011.
          for (let at = last; at < next; at += 30 * MINUTE) {
            const between = dateOf(zone, at);
            expect([date, dateOfNext]).toContain(between);
          }
          if (days > 0) expect(dateOfNext > date).toBe(true);
          expect(isBeforeMorning(new Date(next - 1), zone)).toBe(true);
          expect(isBeforeMorning(new Date(next), zone)).toBe(false);
          [last, date] = [next, dateOfNext];
        }
      }),
    );
  });

  it('a late moment counts as the last one of its day, and an early one as itself', () => {
    fc.assert(
      fc.property(zoneAndMoment, fc.integer({ min: 0, max: 3 * 24 * 60 }), ({ zone, moment }, minutes) => {
        const date = dateIn(zone, new Date(moment));
        expect(date).toBe(dateOf(zone, moment));
        const later = moment + minutes * MINUTE;
        const seen = momentOf({ date, time_zone: zone }, new Date(later)).getTime();
        expect(dateOf(zone, seen)).toBe(date);
        expect(seen === later).toBe(dateOf(zone, later) === date);
        if (seen !== later) expect(dateOf(zone, seen + 1) > date).toBe(true);
      }),
    );
  });
});

describe('ids of briefings', () => {
  it('tell their date, and differ by user and date', () => {
    const days = ['1999-12-31', '2026-11-20', '2026-11-21'];
    const users = [newId(new Date()), newId(new Date())];
    const ids = users.flatMap((user) => days.map((date) => [briefingId(user, date), date]));
    for (const [id = '', date] of ids) expect(dateOfId(id)).toBe(date);
    expect(new Set(ids.map(([id]) => id)).size).toBe(ids.length);
    expect(briefingId(users[0] as string, '2026-11-20')).toBe(ids[1]?.[0]);
  });
});
