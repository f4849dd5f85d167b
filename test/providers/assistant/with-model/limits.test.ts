import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { beginning } from '#shared/providers/assistant/with-model/limits.ts';

/** Any string, with lone surrogates. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);

it('truncates any text to the bytes, well-formed, and no shorter than necessary', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: -5, max: 60 }), (text, bytes) => {
      const whole = text.toWellFormed();
      const told = beginning(text, bytes);
      expect(told.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(told)).toBeLessThanOrEqual(Math.max(0, bytes));
      if (Buffer.byteLength(whole) <= bytes) expect(told).toBe(whole);
      else if (bytes < 3) expect(told).toBe('');
      else {
        expect(told.endsWith('…')).toBe(true);
        expect(whole.startsWith(told.slice(0, -1))).toBe(true);
        // The next character does not fit: it has at most four bytes.
        expect(Buffer.byteLength(told)).toBeGreaterThan(bytes - 4);
      }
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  ['Zürich', 20, 'Zürich'],
  ['Zürich', 7, 'Zürich'],
  ['Zürich', 6, 'Zü…'],
  ['Zürich', 5, 'Z…'],
  ['👩‍🔧 there', 9, '👩…'],
  ['abcd', 3, '…'],
  ['abcd', 2, ''],
])('truncates %j in %d bytes to %j', (text, bytes, told) => {
  expect(beginning(text, bytes)).toBe(told);
});
