import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  counted,
  counterName,
  KEY_LIMIT,
  lastStale,
  measureRate,
  slotOf,
  staleCounters,
  USER_LIMIT,
} from '#shared/domain/platform/rates/rate.ts';
import { longIt } from '../../../support/long.ts';

/** The counters of one item, and the result for each request. */
class Counting {
  readonly item: Record<string, number> = {};
  readonly allowed: number[] = [];
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Like the table: adds one, then drops stale counters. Times are milliseconds. */
  request(time: number) {
    const now = new Date(time);
    for (const name of lastStale(now)) delete this.item[name];
    for (const [slot, more] of Object.entries(counted(now))) this.item[slot] = (this.item[slot] ?? 0) + more;
    const rate = measureRate(this.item, this.limit, now);
    if (rate.retry_after === 0) this.allowed.push(time);
    return rate;
  }

  /** The most requests that were allowed in any 60 seconds. */
  most(): number {
    const times = this.allowed.toSorted((a, b) => a - b);
    let most = 0;
    let first = 0;
    for (const [i, time] of times.entries()) {
      while ((times[first] as number) <= time - 60_000) first++;
      most = Math.max(most, i - first + 1);
    }
    return most;
  }
}

const START = Date.UTC(2040, 0, 1);
/** The most requests in a window: the limit of a key, and a thirtieth of it. */
const bound = (limit: number) => limit + limit / 30;

describe('the rate window', () => {
  const limits = [KEY_LIMIT, USER_LIMIT, 30, 20];
  /** Bursts, each so many milliseconds after the one before, with edges of slots and minutes among them. */
  const gap = fc.oneof(
    fc.nat({ max: 4_000 }),
    fc.constantFrom(1, 999, 2_999, 3_000, 3_001, 57_000, 59_999, 60_000, 60_001, 62_999, 63_000, 120_000),
  );
  const bursts = fc.array(fc.tuple(gap, fc.integer({ min: 1, max: 700 })), { minLength: 1, maxLength: 25 });

  longIt('allows at most the limit and a thirtieth in any 60 seconds', () => {
    fc.assert(
      fc.property(fc.constantFrom(...limits), fc.nat({ max: 60_000 }), bursts, (limit, offset, sent) => {
        const counting = new Counting(limit);
        let time = START + offset;
        for (const [pause, requests] of sent) {
          time += pause;
          // A refused client stops soon: more requests would only keep the window full.
          for (let i = 0, refused = 0; i < requests && refused < 3; i++)
            if (counting.request(time).retry_after > 0) refused++;
        }
        expect(counting.most()).toBeLessThanOrEqual(bound(limit));
      }),
      { numRuns: 80 },
    );
  });

  it.each<[string, (counting: Counting) => void]>([
    [
      'as many as it can at the end of a minute and in the next',
      (counting) => {
        for (let i = 0; i < 600; i++) counting.request(START + 59_900);
        for (let time = 60_000; time < 180_000; time += 50) {
          if (measureRate(counting.item, counting.limit - 1, new Date(START + time)).retry_after === 0)
            counting.request(START + time);
        }
      },
    ],
    [
      'a burst, then nothing, then a burst when it may',
      (counting) => {
        let time = START + 2_999;
        for (let round = 0; round < 5; round++) {
          let rate = counting.request(time);
          while (rate.retry_after === 0) rate = counting.request(time);
          time += rate.retry_after * 1_000;
        }
      },
    ],
    [
      'each one as soon as it may',
      (counting) => {
        for (let time = START; time < START + 300_000; time += 50)
          if (measureRate(counting.item, counting.limit - 1, new Date(time)).retry_after === 0)
            counting.request(time);
      },
    ],
  ])('%s: never more', (_, send) => {
    for (const limit of limits) {
      const counting = new Counting(limit);
      send(counting);
      expect(counting.most()).toBeLessThanOrEqual(bound(limit));
      // And not much less.
      expect(counting.most()).toBeGreaterThanOrEqual(0.95 * Math.min(limit, 600));
    }
  });

  it('counts requests whose counters are written out of order', () => {
    const late = fc.nat({ max: 2_000 });
    fc.assert(
      fc.property(
        fc.array(late, { minLength: 1_300, maxLength: 1_300 }),
        fc.nat({ max: 70_000 }),
        (delays, edge) => {
          const counting = new Counting(KEY_LIMIT);
          const sent = delays.map((delay, i) => ({ time: START + (i < 650 ? 0 : edge) + (i % 650), delay }));
          for (const { time } of sent.toSorted((a, b) => a.time + a.delay - b.time - b.delay))
            counting.request(time);
          expect(counting.most()).toBeLessThanOrEqual(bound(KEY_LIMIT));
        },
      ),
      { numRuns: 8 },
    );
  });

  it('counts requests that a machine with a faster clock counted', () => {
    const now = new Date(START);
    expect(
      measureRate(
        item(now, [
          [1, KEY_LIMIT],
          [0, 1],
        ]),
        KEY_LIMIT,
        now,
      ).retry_after,
    ).toBeGreaterThan(0);
  });

  it('always allows an even flow of 95 % of the limit', () => {
    for (const limit of [KEY_LIMIT, USER_LIMIT]) {
      const counting = new Counting(limit);
      const pause = 60_000 / (0.95 * limit);
      for (let i = 0; i < 5 * limit; i++)
        expect(counting.request(Math.round(START + i * pause)).retry_after).toBe(0);
    }
  });

  const filled = fc.array(fc.tuple(fc.integer({ min: -25, max: 0 }), fc.integer({ min: 1, max: 700 })), {
    minLength: 1,
    maxLength: 8,
  });
  const item = (now: Date, slots: [number, number][]) =>
    Object.fromEntries(slots.map(([slot, count]) => [counterName(slotOf(now) + slot), count]));
  const moment = fc.nat({ max: 3_600_000 }).map((offset) => new Date(START + offset));

  it('returns the wait after which one more request fits, and not a second earlier', () => {
    fc.assert(
      fc.property(moment, filled, fc.constantFrom(...limits), (now, slots, limit) => {
        const found = item(now, [...slots, [0, 1]]);
        const { retry_after, reset, remaining } = measureRate(found, limit, now);
        const askedAfter = (seconds: number) => {
          const later = new Date(now.getTime() + seconds * 1_000);
          const name = counterName(slotOf(later));
          return measureRate({ ...found, [name]: (found[name] ?? 0) + 1 }, limit, later);
        };
        // The whole limit is available again, except for this request.
        expect(askedAfter(reset).remaining).toBe(limit - 1);
        expect(askedAfter(reset - 1).remaining).toBeLessThanOrEqual(limit - 1);
        expect(remaining).toBeGreaterThanOrEqual(0);
        if (retry_after === 0) return;
        expect(askedAfter(retry_after).retry_after).toBe(0);
        if (retry_after > 1) expect(askedAfter(retry_after - 1).retry_after).toBeGreaterThan(0);
      }),
    );
  });

  it('returns as remaining how many more fit at once', () => {
    fc.assert(
      fc.property(moment, filled, fc.constantFrom(...limits), (now, slots, limit) => {
        const found = item(now, slots);
        const { remaining, retry_after } = measureRate(found, limit, now);
        fc.pre(retry_after === 0);
        const more = (count: number) => {
          const name = counterName(slotOf(now));
          return measureRate({ ...found, [name]: (found[name] ?? 0) + count }, limit, now).retry_after === 0;
        };
        expect([more(remaining), more(remaining + 1)]).toEqual([true, false]);
      }),
    );
  });

  it('returns at once when nothing is allowed, or everything', () => {
    const now = new Date(START);
    const one = item(now, [[0, 1]]);
    expect(measureRate(one, 0, now)).toEqual({ limit: 0, remaining: 0, retry_after: 63, reset: 63 });
    const endless = measureRate(one, Number.POSITIVE_INFINITY, now);
    expect(endless).toMatchObject({ retry_after: 0, remaining: Number.POSITIVE_INFINITY });
  });

  it('drops the counters that no window covers any more, and no others', () => {
    fc.assert(
      fc.property(moment, fc.array(fc.integer({ min: -60, max: 1 })), (now, slots) => {
        const stored = Object.fromEntries(slots.map((each) => [counterName(slotOf(now) + each), 1]));
        const names = (wanted: (slot: number) => boolean) =>
          new Set(slots.filter(wanted).map((each) => counterName(slotOf(now) + each)));
        const stale = staleCounters({ ...stored, used_at: 'x', m: 1, me: 2, m12x: 3 }, now);
        expect(new Set(stale)).toEqual(names((each) => each < -21));
        for (const name of lastStale(now)) expect(names((each) => each >= -21)).not.toContain(name);
      }),
    );
  });
});
