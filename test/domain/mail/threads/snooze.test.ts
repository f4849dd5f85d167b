import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readSnooze, snoozeUntil } from '#shared/domain/mail/threads/snooze.ts';
import { Fields, parseShape } from '#shared/fields.ts';
import { DAY, dayBegins, HOUR, MINUTE, momentOf, offsetAt, wallAt } from '../../../support/wall-clock.ts';
import { zoneAndMoment } from '../../../support/zones.ts';

const words = ['soon', 'tonight', 'morning', 'weekend', 'week', 'month'] as const;
type Word = (typeof words)[number];

const iso = (moment: number) => new Date(moment).toISOString();
const until = (sent: string, now: string, zone = 'Etc/UTC') => {
  const { snooze_until, until } = readSnooze(sent, new Date(now), zone);
  expect(iso(until)).toBe(snooze_until);
  return snooze_until;
};

/** The meaning of the words, computed from wall clocks and plain arithmetic. */
const promised: Record<Word, (zone: string, now: number) => number> = {
  soon: (zone, now) => {
    const moment = now + 3 * HOUR;
    const wall = wallAt(zone, moment);
    const hour = wall - (((wall % HOUR) + HOUR) % HOUR);
    // Clocks that went back within this hour showed its beginning twice: the nearer one counts.
    const near = hour - offsetAt(zone, moment);
    return wallAt(zone, near) === hour ? near : momentOf(zone, hour);
  },
  tonight: (zone, now) => {
    const today = wallDay(zone, now);
    if (wallAt(zone, now) < today + 17 * HOUR) return momentOf(zone, today + 19 * HOUR);
    return Math.floor((now + dayBegins(zone, today + DAY)) / 2 / MINUTE) * MINUTE;
  },
  morning: (zone, now) => eight(zone, wallDay(zone, now) + DAY),
  weekend: (zone, now) => eight(zone, following(zone, now, 6)),
  week: (zone, now) => eight(zone, following(zone, now, 1)),
  month: (zone, now) => {
    const today = new Date(wallDay(zone, now));
    const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() + 1];
    const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
    return eight(zone, Date.UTC(year, month, Math.min(today.getUTCDate(), last)));
  },
};

const wallDay = (zone: string, moment: number) => Math.floor(wallAt(zone, moment) / DAY) * DAY;
const eight = (zone: string, day: number) => momentOf(zone, day + 8 * HOUR);

/** The first day of the week `weekday` (Sunday is 0) after today. */
function following(zone: string, now: number, weekday: number): number {
  let day = wallDay(zone, now) + DAY;
  while (new Date(day).getUTCDay() !== weekday) day += DAY;
  return day;
}

describe('snooze shortcuts', () => {
  it.each(words)('%s agrees with the clocks of every zone', (word) => {
    fc.assert(
      fc.property(zoneAndMoment, ({ zone, moment }) => {
        const { snooze_until, until } = readSnooze(word, new Date(moment), zone);
        expect(snooze_until).toBe(iso(promised[word](zone, moment)));
        expect(iso(until)).toBe(snooze_until);
      }),
      { numRuns: 600 },
    );
  });

  it.each(words)('%s is after now', (word) => {
    fc.assert(
      fc.property(zoneAndMoment, ({ zone, moment }) => {
        const { until } = readSnooze(word, new Date(moment), zone);
        // "Rounded down to the minute" is the present minute in the last one of a day.
        const begun = word === 'tonight' ? moment - (moment % MINUTE) - 1 : moment;
        expect(until).toBeGreaterThan(begun);
      }),
      { numRuns: 600 },
    );
  });

  it('are shown by the clocks of the user at the hours that the specification names', () => {
    fc.assert(
      fc.property(zoneAndMoment, fc.constantFrom(...words), ({ zone, moment }, word) => {
        const wall = wallAt(zone, readSnooze(word, new Date(moment), zone).until);
        const [hour, minute] = [new Date(wall).getUTCHours(), new Date(wall).getUTCMinutes()];
        if (word === 'soon') expect(minute === 0 || zone === 'Australia/Lord_Howe').toBe(true);
        else if (word !== 'tonight') expect([hour, minute]).toEqual([8, 0]);
        else if (wallAt(zone, moment) % DAY < 17 * HOUR) expect([hour, minute]).toEqual([19, 0]);
      }),
      { numRuns: 600 },
    );
  });
});

describe('soon: three hours from now, minutes cut to the full hour', () => {
  it.each([
    ['2026-11-18T09:00:00.000Z', 'Etc/UTC', '2026-11-18T12:00:00.000Z'],
    ['2026-11-18T09:59:59.999Z', 'Etc/UTC', '2026-11-18T12:00:00.000Z'],
    ['2026-11-18T22:30:00.000Z', 'Etc/UTC', '2026-11-19T01:00:00.000Z'],
    // The full hours of India and Nepal lie between those of UTC.
    ['2026-11-18T09:00:00.000Z', 'Asia/Kolkata', '2026-11-18T11:30:00.000Z'],
    ['2026-11-18T09:00:00.000Z', 'Asia/Kathmandu', '2026-11-18T11:15:00.000Z'],
    // Three hours pass, whatever clocks do meanwhile: 00:30 to 04:00, then 00:30 to 02:00.
    ['2026-03-28T23:30:00.000Z', 'Europe/Berlin', '2026-03-29T02:00:00.000Z'],
    ['2026-10-24T22:30:00.000Z', 'Europe/Berlin', '2026-10-25T01:00:00.000Z'],
    // The hour that clocks show twice: its second half stays in its second half.
    ['2026-10-24T22:10:00.000Z', 'Europe/Berlin', '2026-10-25T01:00:00.000Z'],
    ['2026-10-24T21:10:00.000Z', 'Europe/Berlin', '2026-10-25T00:00:00.000Z'],
  ])('at %s in %s is %s', (now, zone, expected) => expect(until('soon', now, zone)).toBe(expected));
});

describe('tonight: 19:00 today, from 17:00 on half-way to midnight, rounded down to the minute', () => {
  it.each([
    ['2026-11-18T00:00:00.000Z', 'Etc/UTC', '2026-11-18T19:00:00.000Z'],
    ['2026-11-18T16:59:59.999Z', 'Etc/UTC', '2026-11-18T19:00:00.000Z'],
    ['2026-11-18T17:00:00.000Z', 'Etc/UTC', '2026-11-18T20:30:00.000Z'],
    ['2026-11-18T17:01:00.000Z', 'Etc/UTC', '2026-11-18T20:30:00.000Z'],
    ['2026-11-18T20:00:00.000Z', 'Etc/UTC', '2026-11-18T22:00:00.000Z'],
    ['2026-11-18T23:00:00.000Z', 'Etc/UTC', '2026-11-18T23:30:00.000Z'],
    ['2026-11-18T23:58:00.000Z', 'Etc/UTC', '2026-11-18T23:59:00.000Z'],
    ['2026-11-18T23:59:00.000Z', 'Etc/UTC', '2026-11-18T23:59:00.000Z'],
    ['2026-11-18T23:59:59.999Z', 'Etc/UTC', '2026-11-18T23:59:00.000Z'],
    ['2026-11-18T22:00:00.000Z', 'America/New_York', '2026-11-19T01:30:00.000Z'],
    ['2026-11-18T21:59:00.000Z', 'America/New_York', '2026-11-19T00:00:00.000Z'],
    // The next day begins at 01:00, so this one ended an hour of the clock later and not of time.
    ['2018-11-03T22:00:00.000Z', 'America/Sao_Paulo', '2018-11-04T00:30:00.000Z'],
    // Clocks go back at midnight: from 22:00 on, three hours are left and not two.
    ['2018-02-18T00:00:00.000Z', 'America/Sao_Paulo', '2018-02-18T01:30:00.000Z'],
  ])('at %s in %s is %s', (now, zone, expected) => expect(until('tonight', now, zone)).toBe(expected));
});

describe('morning: 8:00 tomorrow', () => {
  it.each([
    ['2026-11-18T00:00:00.000Z', 'Etc/UTC', '2026-11-19T08:00:00.000Z'],
    ['2026-11-18T23:59:59.999Z', 'Etc/UTC', '2026-11-19T08:00:00.000Z'],
    ['2026-12-31T12:00:00.000Z', 'Asia/Tokyo', '2026-12-31T23:00:00.000Z'],
    ['2026-03-28T12:00:00.000Z', 'Europe/Berlin', '2026-03-29T06:00:00.000Z'],
    ['2026-10-24T12:00:00.000Z', 'Europe/Berlin', '2026-10-25T07:00:00.000Z'],
    // Tomorrow was left out: the next day that there was.
    ['2011-12-29T20:00:00.000Z', 'Pacific/Apia', '2011-12-30T18:00:00.000Z'],
  ])('at %s in %s is %s', (now, zone, expected) => expect(until('morning', now, zone)).toBe(expected));
});

describe('weekend: 8:00 on the coming Saturday, and week: 8:00 next Monday, strictly after today', () => {
  it.each([
    ['Wednesday', '2026-11-18T12:00:00.000Z', '2026-11-21', '2026-11-23'],
    ['Friday', '2026-11-20T23:59:59.999Z', '2026-11-21', '2026-11-23'],
    ['Saturday before 8:00', '2026-11-21T00:00:00.000Z', '2026-11-28', '2026-11-23'],
    ['Saturday', '2026-11-21T12:00:00.000Z', '2026-11-28', '2026-11-23'],
    ['Sunday', '2026-11-22T12:00:00.000Z', '2026-11-28', '2026-11-23'],
    ['Monday before 8:00', '2026-11-23T00:00:00.000Z', '2026-11-28', '2026-11-30'],
    ['Monday', '2026-11-23T12:00:00.000Z', '2026-11-28', '2026-11-30'],
  ])('on a %s', (_day, now, saturday, monday) => {
    expect(until('weekend', now)).toBe(`${saturday}T08:00:00.000Z`);
    expect(until('week', now)).toBe(`${monday}T08:00:00.000Z`);
  });

  it('are those of the user: it is Monday in Kiritimati while it is Sunday in London', () => {
    const now = '2026-11-22T12:00:00.000Z';
    expect(until('week', now, 'Pacific/Kiritimati')).toBe('2026-11-29T18:00:00.000Z');
    expect(until('week', now, 'Europe/London')).toBe('2026-11-23T08:00:00.000Z');
  });
});

describe('month: 8:00 on the same day next month, or its last day', () => {
  it.each([
    ['2026-11-18T12:00:00.000Z', '2026-12-18T08:00:00.000Z'],
    ['2026-12-31T12:00:00.000Z', '2027-01-31T08:00:00.000Z'],
    ['2026-01-31T12:00:00.000Z', '2026-02-28T08:00:00.000Z'],
    ['2028-01-31T12:00:00.000Z', '2028-02-29T08:00:00.000Z'],
    ['2028-01-29T12:00:00.000Z', '2028-02-29T08:00:00.000Z'],
    ['2026-02-28T12:00:00.000Z', '2026-03-28T08:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', '2028-03-29T08:00:00.000Z'],
    ['2026-08-31T12:00:00.000Z', '2026-09-30T08:00:00.000Z'],
  ])('on %s is %s', (now, expected) => expect(until('month', now)).toBe(expected));
});

describe('snooze_until as a moment', () => {
  const now = new Date('2026-11-18T12:00:00Z');

  it.each([
    ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.000Z'],
    ['2026-11-20T09:30:00+05:30', '2026-11-20T04:00:00.000Z'],
    ['2026-11-20T09:30-0800', '2026-11-20T17:30:00.000Z'],
    ['2026-11-20t09:30:00z', '2026-11-20T09:30:00.000Z'],
    ['2026-11-20T09:30:00.123456789Z', '2026-11-20T09:30:00.123Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('%s is echoed as sent', (sent, moment) => {
    const snooze = readSnooze(sent, now, 'Asia/Tokyo');
    expect([snooze.snooze_until, iso(snooze.until)]).toEqual([sent, moment]);
  });

  it.each(['2001-01-01T00:00:00Z', '1969-07-20T20:17:40Z', '0001-01-01T00:00:00Z', '2026-11-18T11:59:59Z'])(
    '%s has passed and is accepted',
    (sent) =>
      expect(readSnooze(sent, now, 'Etc/UTC')).toEqual({ snooze_until: sent, until: Date.parse(sent) }),
  );

  it.each([
    ['2026-11-20', 'America/New_York', '2026-11-20T05:00:00.000Z'],
    ['2026-11-20', 'Pacific/Kiritimati', '2026-11-19T10:00:00.000Z'],
    // No midnight on that day.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    // Two midnights: the first.
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
    ['9999-12-31', 'Etc/UTC', '9999-12-31T00:00:00.000Z'],
  ])('%s is midnight in %s', (sent, zone, moment) =>
    expect(until(sent, now.toISOString(), zone)).toBe(moment),
  );

  it.each([
    '9999-12-31T23:59:59-23:59',
    '0000-01-01T00:00:00+00:01',
    '0000-01-01',
    '0001-01-01T00:00:00+00:01',
  ])('%s is refused: UTC has no four-digit year for it', (sent) =>
    expect(problemWith(sent)).toBe('invalid_format'),
  );

  it.each([['0001-01-01', 'Asia/Tokyo']])(
    '%s is invalid in %s: UTC has no such year for it',
    (sent, zone) => {
      expect(problemWith(sent)).toBeUndefined();
      const read = () => readSnooze(sent, now, zone);
      expect(read).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          fields: { snooze_until: { code: 'invalid', message: 'is out of range' } },
        }),
      );
    },
  );

  it('gives back any date-time and its moment', () => {
    const dates = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-30') });
    fc.assert(
      fc.property(dates, fc.integer({ min: -839, max: 839 }), (date, offset) => {
        const local = iso(date.getTime() + offset * MINUTE).slice(0, -1);
        const digits = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
        const sent = `${local}${offset < 0 ? '-' : '+'}${digits.map((each) => String(each).padStart(2, '0')).join(':')}`;
        expect(problemWith(sent)).toBeUndefined();
        expect(readSnooze(sent, now, 'Asia/Tehran')).toEqual({ snooze_until: sent, until: date.getTime() });
      }),
    );
  });
});

const schema = z.object({ snooze_until: snoozeUntil });

/** The field code of the request with this `snooze_until`. */
function problemWith(snooze_until: unknown): string | undefined {
  const fields = new Fields();
  // As it arrives: through JSON.
  parseShape(schema, JSON.parse(JSON.stringify({ snooze_until })), fields);
  return fields.found.snooze_until?.code;
}

describe('snooze_until that is refused', () => {
  it.each([
    ['missing', undefined, 'required'],
    ['null', null, 'required'],
    ['empty', '', 'required'],
    ['blank', ' \t\n', 'required'],
    ['a number', 1_800_000_000, 'invalid'],
    ['milliseconds', Date.UTC(2027, 0, 1), 'invalid'],
    ['true', true, 'invalid'],
    ['an object', { at: 'tonight' }, 'invalid'],
    ['a list', ['tonight'], 'invalid'],
    ['digits', '1800000000', 'invalid_format'],
    ['upper case', 'Tonight', 'invalid_format'],
    ['another word', 'tomorrow', 'invalid_format'],
    ['a word of JavaScript', 'toString', 'invalid_format'],
    ['a word of JavaScript', '__proto__', 'invalid_format'],
    ['space around', ' tonight ', 'invalid_format'],
    ['space around', ' 2026-11-20T09:30:00Z', 'invalid_format'],
    ['30 February', '2026-02-30', 'invalid_format'],
    ['30 February with a time', '2026-02-30T10:00:00Z', 'invalid_format'],
    ['29 February of another year', '2026-02-29T10:00:00Z', 'invalid_format'],
    ['31 April', '2026-04-31T10:00:00+02:00', 'invalid_format'],
    ['day 0', '2026-11-00', 'invalid_format'],
    ['month 13', '2026-13-01T00:00:00Z', 'invalid_format'],
    ['no zone', '2026-11-20T09:30:00', 'invalid_format'],
    ['a named zone', '2026-11-20T09:30:00[Europe/London]', 'invalid_format'],
    ['an hour only', '2026-11-20T09Z', 'invalid_format'],
    ['hour 24', '2026-11-20T24:00:00Z', 'invalid_format'],
    ['second 60', '2026-12-31T23:59:60Z', 'invalid_format'],
    ['an offset of 24 hours', '2026-11-20T09:30:00+24:00', 'invalid_format'],
    ['a space for T', '2026-11-20 09:30:00Z', 'invalid_format'],
    ['a week', '2026-W47-5', 'invalid_format'],
    ['a day of the year', '2026-324', 'invalid_format'],
    ['basic format', '20261120T093000Z', 'invalid_format'],
    ['five digits of a year', '12026-11-20', 'invalid_format'],
    ['a signed year', '+002026-11-20T09:30:00Z', 'invalid_format'],
    ['a year before 0', '-0001-01-01T00:00:00Z', 'invalid_format'],
    ['a duration', 'PT3H', 'invalid_format'],
    ['10,000 characters', '9'.repeat(10_000), 'invalid_format'],
    ['10,000 fractions of a second', `2026-11-20T09:30:00.${'9'.repeat(10_000)}Z`, 'invalid_format'],
    ['NUL', '\0', 'invalid_format'],
    ['NUL behind a word', 'tonight\0', 'invalid_format'],
    ['NUL behind a moment', '2026-11-20T09:30:00Z\0', 'invalid_format'],
    ['a line break behind a moment', '2026-11-20T09:30:00Z\n', 'invalid_format'],
    ['other digits', '٢٠٢٦-١١-٢٠', 'invalid_format'],
  ])('%s (%j)', (_title, sent, code) => expect(problemWith(sent)).toBe(code));

  it.each([...words, '2026-11-20', '9999-12-31T00:00:00Z', '0004-02-29'])('but %s is taken', (sent) =>
    expect(problemWith(sent)).toBeUndefined(),
  );
});
