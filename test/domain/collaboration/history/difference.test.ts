import { describe, expect, it } from 'vitest';
import {
  changesBetween,
  MOST_OF_LIST,
  MOST_OF_TEXT,
} from '#shared/domain/collaboration/history/difference.ts';

describe('what changed between two values', () => {
  const between = (before: unknown, after: unknown) =>
    changesBetween({ field: before }, { field: after }).map((change) => [
      change.before,
      change.after,
      change.cut,
    ]);
  const long = 'x'.repeat(MOST_OF_TEXT);
  const entries = Array.from({ length: 100 }, (_, i) => ({ id: i, text: 'y'.repeat(100) }));

  it.each<[string, unknown, unknown, unknown]>([
    ['nothing', { a: [1] }, { a: [1] }, undefined],
    ['a value that was missing', undefined, 'a', [null, 'a', false]],
    ['a value that is missing', 5, undefined, [5, null, false]],
    ['a text of the most characters', 'a', long, ['a', long, false]],
    ['a longer text', `${long}a`, `${long}b`, [long, long, true]],
    ['half a character', 'a', `${long.slice(1)}💙`, ['a', long.slice(1), true]],
    ['an entry more', [1, 2], [1, 2, 3], [[], [3], false]],
    ['an entry less', [{ a: 1 }, { a: 2 }], [{ a: 2 }], [[{ a: 1 }], [], false]],
    ['another order', [1, 2], [2, 1], [[1, 2], [2, 1], false]],
    ['an entry once more', [1], [1, 1], [[1], [1, 1], false]],
    ['keys', { a: 1, b: 2 }, { a: 1, b: 3, c: 4 }, [{ b: 2 }, { b: 3, c: 4 }, false]],
    ['a list in place of a text', 'a', ['a'], ['a', ['a'], false]],
    ['long texts in entries', [], [`${long}b`], [[], [long], true]],
  ])('%s', (_, before, after, change) => {
    expect(between(before, after)).toEqual(change === undefined ? [] : [change]);
  });

  it('keeps the first entries that fit', () => {
    const [[before, after, cut] = []] = between([], entries);
    expect([before, cut]).toEqual([[], true]);
    expect(after).toEqual(entries.slice(0, (after as unknown[]).length));
    expect((after as unknown[]).length).toBeGreaterThan(10);
    expect(JSON.stringify(after).length).toBeLessThanOrEqual(MOST_OF_LIST);
  });
});
