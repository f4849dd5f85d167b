import fc from 'fast-check';
import { expect, it } from 'vitest';
import { periodWords, usualPeriods } from '#shared/domain/collaboration/record-lists/day-counters.ts';

const DAY = 86_400_000;
const dayAt = (moment: number) => new Date(moment).toISOString().slice(0, 10);

const list = 'open';
const wordOf = (name: string) => periodWords({ list, day: '2000-01-01' })[3]?.replace('2000-01-01', name);

it('every day of the five years before is in one of the usual periods, and no other day is', () => {
  const moment = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2090, 0, 1) });
  const away = fc.oneof(fc.integer({ min: -40, max: 40 }), fc.integer({ min: -400, max: 8 * 366 }));
  fc.assert(
    fc.property(moment, away, (at, days) => {
      const [before, day] = [dayAt(at), dayAt(at - days * DAY)];
      const words = usualPeriods(before).map(wordOf);
      const found = periodWords({ list, day }).filter((word) => words.includes(word));
      const isUsual = day < before && Number(day.slice(0, 4)) >= Number(before.slice(0, 4)) - 5;
      expect(found).toHaveLength(isUsual ? 1 : 0);
    }),
    { numRuns: 2_000 },
  );
});
