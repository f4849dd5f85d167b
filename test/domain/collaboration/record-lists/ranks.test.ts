import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  idOf,
  momentRank,
  nameRank,
  numberOf,
  numberRank,
  rankedValue,
  rankOf,
} from '#shared/domain/collaboration/record-lists/ranks.ts';
import { foldForSearch } from '#shared/folding.ts';

/** DynamoDB compares keys by their bytes, the service compares them as text: in ASCII both are the same. */
const isAscii = (rank: string) => /^[\t -~]*$/.test(rank);
const sign = (a: string | number, b: string | number) => (a === b ? 0 : a < b ? -1 : 1);

describe('ranks', () => {
  const number = fc.oneof(
    fc.double({ noNaN: true }),
    fc.integer(),
    fc.constantFrom(0, -0, 1e308, -1e308, 5e-324, 0.1, 0.2, 99.99, 100),
  );

  it('of numbers sort as the numbers do', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(sign(numberRank(a), numberRank(b))).toBe(sign(a === 0 ? 0 : a, b === 0 ? 0 : b));
      }),
    );
  });

  it('of numbers lead back to them', () => {
    fc.assert(
      fc.property(number, (a) => numberOf(rankedValue(rankOf(numberRank(a), 'id'))) === (a === 0 ? 0 : a)),
    );
  });

  it('of moments sort by time, also before 1970', () => {
    const moment = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        const [one, two] = [a, b].map((each) => momentRank(each.toISOString())) as [string, string];
        expect(sign(one, two)).toBe(sign(a.getTime(), b.getTime()));
      }),
    );
  });

  it('of names sort by code points without case and accents, and fit into a key', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    const points = (name: string) =>
      [
        ...foldForSearch(name)
          .replaceAll(/[\s\p{C}]+/gu, ' ')
          .trim(),
      ].map((c) => c.codePointAt(0) as number);
    const compare = (a: number[], b: number[]) => {
      const at = a.findIndex((point, i) => point !== b[i]);
      if (at === -1) return sign(a.length, b.length);
      return b[at] === undefined ? 1 : sign(a[at] as number, b[at]);
    };
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(isAscii(nameRank(a))).toBe(true);
        expect(sign(nameRank(a), nameRank(b))).toBe(compare(points(a), points(b)));
      }),
    );
    for (const long of ['a'.repeat(5_000), '李'.repeat(5_000), '😀'.repeat(5_000)])
      expect(Buffer.byteLength(rankOf(nameRank(long), 'x'.repeat(36)))).toBeLessThan(1_024);
  });

  it('name their record, and sort those without a value below all others', () => {
    expect(idOf(rankOf('a#b', 'id'))).toBe('id');
    expect(idOf(rankOf(null, 'id'))).toBe('id');
    expect(rankOf(null, 'z') < rankOf('', 'a')).toBe(true);
  });
});
