import { expect, it } from 'vitest';

let tries = 0;

it('passes at the third try', { retry: 4 }, () => {
  tries += 1;
  expect(tries).toBe(3);
});

it('passes at once', { retry: 4 }, () => {
  expect(true).toBe(true);
});
