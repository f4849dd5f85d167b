import { expect, it } from 'vitest';
import { dueIn } from '#shared/providers/assistant/built-in/due.ts';

/** A Tuesday, 11:30 in Berlin. */
const now = new Date('2026-11-10T10:30:00Z');

const whole = (due_at: string) => ({ due_at, all_day: true });
const at = (due_at: string) => ({ due_at, all_day: false });

it.each([
  ['call Northwind on Friday', 'call Northwind', whole('2026-11-13')],
  ['call Northwind on Tuesday', 'call Northwind', whole('2026-11-17')],
  ['call Northwind next Monday', 'call Northwind', whole('2026-11-16')],
  ['call Northwind next Friday', 'call Northwind', whole('2026-11-20')],
  ['call Northwind today', 'call Northwind', whole('2026-11-10')],
  ['call Northwind, by tomorrow', 'call Northwind', whole('2026-11-11')],
  ['call Northwind next week', 'call Northwind', whole('2026-11-16')],
  ['call Northwind next month', 'call Northwind', whole('2026-12-01')],
  ['call Northwind in two weeks', 'call Northwind', whole('2026-11-24')],
  ['call Northwind in 3 days', 'call Northwind', whole('2026-11-13')],
  ['call Northwind by 3 December', 'call Northwind', whole('2026-12-03')],
  ['call Northwind by Friday 27 November', 'call Northwind', whole('2026-11-27')],
  ['call Northwind on Friday, 27 November', 'call Northwind', whole('2026-11-27')],
  ['call Northwind on the 3rd of March', 'call Northwind', whole('2027-03-03')],
  ['call Northwind before January 2', 'call Northwind', whole('2027-01-02')],
  ['call Northwind due 2026-12-24', 'call Northwind', whole('2026-12-24')],
  ['call Northwind on 1 October', 'call Northwind', whole('2027-10-01')],
  ['call Northwind on Friday at 10:15', 'call Northwind', at('2026-11-13T09:15:00.000Z')],
  ['call Northwind tomorrow at 3pm', 'call Northwind', at('2026-11-11T14:00:00.000Z')],
  ['call Northwind at 9 am on Friday', 'call Northwind', at('2026-11-13T08:00:00.000Z')],
  ['call Northwind at 16:00', 'call Northwind', at('2026-11-10T15:00:00.000Z')],
  ['call Northwind at 12 am tomorrow', 'call Northwind', at('2026-11-10T23:00:00.000Z')],
])('%s', (text, what, due) => {
  expect(dueIn(text, now, 'Europe/Berlin')).toEqual({ what, due });
});

it.each([
  'call Northwind',
  'order 12 chairs',
  'read Chapter 11',
  'look at 99',
  'Friday',
  'meet on 31 February',
  'plan the Friday meeting',
  'call in 400 days or so',
])('%s says no time', (text) => {
  expect(dueIn(text, now, 'Europe/Berlin')).toEqual({ what: text, due: null });
});

it('reads any text in time', () => {
  const hostile = [`${'in '.repeat(5_000)}1 day`, ` ${'on the '.repeat(3_000)}`, `${'1'.repeat(20_000)} may`];
  const start = performance.now();
  for (const text of hostile) dueIn(text, now, 'UTC');
  expect(performance.now() - start).toBeLessThan(1_000);
});
