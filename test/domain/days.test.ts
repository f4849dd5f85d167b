import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startOfToday, startOfWeek } from '#shared/days.ts';
import { DAY, dayBegins, HOUR, wallAt } from '../support/wall-clock.ts';
import { zoneAndMoment } from '../support/zones.ts';

const iso = (moment: number) => new Date(moment).toISOString();
const wallDay = (zone: string, moment: number) => Math.floor(wallAt(zone, moment) / DAY) * DAY;

describe('the start of today', () => {
  it.each([
    ['2026-03-29T12:00:00Z', 'Europe/London', '2026-03-29T00:00:00.000Z'],
    ['2026-03-29T12:00:00Z', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-06-01T00:30:00Z', 'America/New_York', '2026-05-31T04:00:00.000Z'],
    ['2026-06-01T10:00:00Z', 'Pacific/Kiritimati', '2026-06-01T10:00:00.000Z'],
    // Clocks went from 23:59:59 to 01:00.
    ['2018-11-04T15:00:00Z', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['2026-03-08T15:00:00Z', 'America/Havana', '2026-03-08T05:00:00.000Z'],
    // Clocks go from 00:59:59 back to 00:00: the first midnight.
    ['2026-11-01T15:00:00Z', 'America/Havana', '2026-11-01T04:00:00.000Z'],
    // 30 December 2011 was left out.
    ['2011-12-30T12:00:00Z', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('at %s in %s is %s', (now, zone, start) => {
    expect(iso(startOfToday(new Date(now), zone))).toBe(start);
  });

  it('agrees with the clocks of every zone, and is never after now', () => {
    fc.assert(
      fc.property(zoneAndMoment, ({ zone, moment }) => {
        const start = startOfToday(new Date(moment), zone);
        expect(iso(start)).toBe(iso(dayBegins(zone, wallDay(zone, moment))));
        expect(start).toBeLessThanOrEqual(moment);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the start of this week', () => {
  it.each([
    // A Wednesday, a Monday, a Sunday.
    ['2026-11-18T12:00:00Z', 'Etc/UTC', 'monday', '2026-11-16T00:00:00.000Z'],
    ['2026-11-18T12:00:00Z', 'Etc/UTC', 'sunday', '2026-11-15T00:00:00.000Z'],
    ['2026-11-16T00:00:00Z', 'Etc/UTC', 'monday', '2026-11-16T00:00:00.000Z'],
    ['2026-11-16T00:00:00Z', 'Etc/UTC', 'sunday', '2026-11-15T00:00:00.000Z'],
    ['2026-11-15T23:59:59Z', 'Etc/UTC', 'monday', '2026-11-09T00:00:00.000Z'],
    ['2026-11-15T23:59:59Z', 'Etc/UTC', 'sunday', '2026-11-15T00:00:00.000Z'],
    // Still Sunday there.
    ['2026-11-16T04:00:00Z', 'America/New_York', 'monday', '2026-11-09T05:00:00.000Z'],
    // Clocks changed since.
    ['2026-11-03T12:00:00Z', 'America/New_York', 'sunday', '2026-11-01T04:00:00.000Z'],
  ] as const)('at %s in %s, for weeks from %s, is %s', (now, zone, first, start) => {
    expect(iso(startOfWeek(new Date(now), zone, first))).toBe(start);
  });

  it('agrees with the clocks of every zone, at most a week and a changed clock before now', () => {
    fc.assert(
      fc.property(zoneAndMoment, fc.constantFrom('monday', 'sunday'), ({ zone, moment }, first) => {
        const start = startOfWeek(new Date(moment), zone, first);
        const today = wallDay(zone, moment);
        const days = (new Date(today).getUTCDay() + (first === 'monday' ? 6 : 0)) % 7;
        expect(iso(start)).toBe(iso(dayBegins(zone, today - days * DAY)));
        expect(start).toBeLessThanOrEqual(moment);
        expect(moment - start).toBeLessThan(7 * DAY + 2 * HOUR);
      }),
      { numRuns: 1_000 },
    );
  });
});
