import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayHaveAll, signedBy } from '#shared/domain/platform/postings/signature.ts';
import { matchesTerms, wordsOf } from '#shared/domain/platform/postings/words.ts';
import { Dice } from '../../../support/dice.ts';
import { drawText } from '../../../support/thread-mail.ts';

/** What the signature of a posting tells of the other words of a record. */

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.nat().map((seed) => drawText(new Dice(seed), 6)),
);

const RANK = '1063931436040000#01a2205c';
const at = (title: string[], text: string[], SK = RANK) => ({ SK, signed: signedBy(title, text, SK) });
const signed = (words: string[], SK = RANK) => at(words, [], SK);

describe('the signature of the words of a record', () => {
  it('never leaves out a record that has the words', () => {
    fc.assert(
      fc.property(text, text, fc.nat(8), (searched, other, cut) => {
        const words = wordsOf(`${searched} ${other}`);
        const terms = wordsOf(searched).map((word) => [[...word].slice(0, cut + 1).join('')]);
        if (terms.length > 0) expect(matchesTerms(terms.flat(), words)).toBe(true);
        expect(mayHaveAll(terms)(signed(words))).toBe(true);
        expect(mayHaveAll(terms)(at(wordsOf(searched), wordsOf(other)))).toBe(true);
        expect(mayHaveAll(terms)(at(wordsOf(other), wordsOf(searched)))).toBe(true);
        expect(mayHaveAll(terms.map((term) => ['zyzzyva', ...term]))(signed(words))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves out all but one in a hundred of the others', () => {
    const wordAt = (number: number) => `${number.toString(36).padStart(5, 'q')}ness`;
    const mays = Array.from({ length: 2_000 }, (_, i) => {
      const words = Array.from({ length: 1 + (i % 40) }, (_, j) => wordAt(50 * i + j));
      return mayHaveAll([[wordAt(50 * i + 45)]])(signed(words));
    });
    expect(mays.filter((may) => may).length).toBeLessThan(2_000 * 0.01);
  });

  it('is not the same for all records with some words', () => {
    const pairs = Array.from({ length: 200 }, (_, i) => [
      `${i.toString(36)}harbour`,
      `${i.toString(36)}ledger`,
    ]);
    for (const [has = '', hasNot = ''] of pairs) {
      const mays = Array.from({ length: 100 }, (_, i) =>
        mayHaveAll([[hasNot]])(signed([has, 'lee'], `${i}`)),
      );
      expect(mays.filter((may) => may).length, has).toBeLessThan(20);
    }
  });

  it('tells of the shortest words, and nothing of postings without one', () => {
    expect(mayHaveAll([['li']])(signed(['harbour']))).toBe(false);
    expect(mayHaveAll([['h'], ['東']])(signed(['harbour', '東京']))).toBe(true);
    expect(mayHaveAll([['h']])(signed([]))).toBe(false);
    expect(mayHaveAll([['ledger'], ['harbour']])({ SK: RANK })).toBe(true);
    expect(mayHaveAll([['ledger']], { title: true })(at(['of'], ['ledger']))).toBe(false);
  });

  it('has 128 bytes at most, however many words there are', () => {
    const words = Array.from({ length: 5_000 }, (_, i) => `${i.toString(36).padStart(4, 'x')}ness`);
    expect(signedBy(['other'], words, RANK)).toHaveLength(1 + 8 + 128);
    expect(signedBy(['harbour'], ['harbour'], RANK)).toHaveLength(1 + 8);
    expect(mayHaveAll(words.slice(0, 9).map((word) => [word]))(signed(words))).toBe(true);
  });
});
