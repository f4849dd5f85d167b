import { describe, expect, it } from 'vitest';
import type { Candidate, Source } from '#shared/domain/insight/search/kind.ts';
import { Merge } from '#shared/domain/insight/search/merge.ts';
import { TIER } from '#shared/domain/insight/search/tiers.ts';

const tier = TIER.title;

const candidates = (count: number, moment: number, more: Partial<Candidate> = {}): Candidate[] =>
  Array.from({ length: count }, (_, i) => ({ tier, id: `${moment}-${i}`, moment: moment - i, ...more }));

const guesses = (count: number) => candidates(count, 5_000, { exact: false, guess: true });

function mergeOf(...sources: (Partial<Source> & { given?: Candidate[] })[]): Merge {
  const typed = sources.map(({ given = [], ...source }) => ({
    type: 'task' as const,
    source: { tier, exact: true, next: async () => given.shift(), ...source },
  }));
  return new Merge(typed, new Set());
}

describe('candidates of a search that are taken together', () => {
  const taken = async (...given: Candidate[][]) =>
    (await mergeOf(...given.map((each) => ({ given: each }))).take(21)).length;

  it('are as many as are wanted, where all match', async () => {
    expect(await taken(candidates(30, 1_000))).toBe(21);
  });

  it('are more by a few guesses, of which perhaps none matches', async () => {
    expect(await taken(guesses(5), candidates(30, 1_000))).toBe(26);
  });

  it('are fifty more at most, where nothing is known of them', async () => {
    expect(await taken(guesses(90))).toBe(71);
  });
});

describe('what is known of sources that have begun', () => {
  const known = (reads: number) =>
    mergeOf({ begin: async () => ({ count: 5.6, reads }) }, { likely: async () => 10 }).begin(21);

  it('is what the first pages of lists tell', async () => {
    expect(await known(1)).toBe(5);
  });

  it('is what takes one read more as well, where a list took two', async () => {
    expect(await known(2)).toBe(15);
  });
});
