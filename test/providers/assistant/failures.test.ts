import { expect, it } from 'vitest';
import { httpFailure, readRetryAfter } from '#shared/providers/assistant/failures.ts';

const now = Date.parse('2026-11-20T09:30:00Z');

it.each([
  ['0', 0],
  ['120', 120],
  [' 7 ', 7],
  ['Fri, 20 Nov 2026 09:31:30 GMT', 90],
  ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
  ['', undefined],
  ['soon', undefined],
  ['-5 minutes', undefined],
  [undefined, undefined],
  [null, undefined],
])('Retry-After %j is %j seconds', (header, seconds) => {
  expect(readRetryAfter(header, now)).toBe(seconds);
});

it('keeps codes and leaves sentences out', () => {
  const codes = [
    'model_not_found',
    null,
    404,
    'messages[1].content',
    "No model 'Ada' was found",
    'x'.repeat(65),
  ];
  expect(httpFailure('m', { status: 404, codes }).message).toBe(
    'm: HTTP 404 model_not_found 404 messages[1].content',
  );
});
