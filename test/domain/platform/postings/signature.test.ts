import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayHaveAll, signatureOf } from '#shared/domain/platform/postings/signature.ts';
import { matchesTerms, wordsOf } from '#shared/domain/platform/postings/words.ts';
import { Dice } from '../../../support/dice.ts';
import { drawText } from '../../../support/thread-mail.ts';

/** What the signature of a posting tells of the other words of a record. */

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.nat().map((seed) => drawText(new Dice(seed), 6)),
);

const signed = (words: string[]) => {
  const signature = signatureOf(words);
  return signature ? { signature } : {};
};

describe('the signature of the words of a record', () => {
  it('never leaves out a record that has the words', () => {
    fc.assert(
      fc.property(text, text, fc.nat(8), (searched, other, cut) => {
        const words = wordsOf(`${searched} ${other}`);
        const terms = wordsOf(searched).map((word) => [[...word].slice(0, cut + 1).join('')]);
        if (terms.length > 0) expect(matchesTerms(terms.flat(), words)).toBe(true);
        expect(mayHaveAll(terms)(signed(words))).toBe(true);
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

  it('tells nothing of words that are too short, or of postings without one', () => {
    expect(signatureOf(['a', 'of', '東京'])).toBeUndefined();
    expect(mayHaveAll([['li']])(signed(['harbour']))).toBe(true);
    expect(mayHaveAll([['ledger'], ['harbour']])({})).toBe(true);
  });

  it('has 128 bytes at most, however many words there are', () => {
    const words = Array.from({ length: 5_000 }, (_, i) => `${i.toString(36).padStart(4, 'x')}ness`);
    expect(signatureOf(words)?.length).toBe(128);
    expect(signatureOf(['harbour'])?.length).toBe(3);
    expect(mayHaveAll(words.slice(0, 9).map((word) => [word]))(signed(words))).toBe(true);
  });
});
