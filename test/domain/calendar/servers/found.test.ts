import { expect, it } from 'vitest';
import { foundCalendars } from '#shared/domain/calendar/servers/found.ts';
import { TOLD_AT_ONCE } from '#shared/domain/mail/mailboxes/lock.ts';

it('all calendars of a server replaced at once fit in the transaction, and every one that stays is marked', () => {
  const now = new Date('2026-11-23T10:00:00Z');
  const place = { account_id: 'account', id: 'mailbox' };
  const served = (name: string) =>
    Array.from({ length: 60 }, (_, i) => ({
      ...{ url: `https://x.example/${name}${i}/`, name, description: null, color: null },
      read_only: false,
    }));
  const before = foundCalendars(place, served('old'), now);
  expect([before.calendar_ids.length, before.writes.length]).toEqual([50, 50]);
  const after = foundCalendars({ ...place, calendar_ids: before.calendar_ids }, served('new'), now);
  // With the mailbox, its job, and who is told.
  expect(after.writes.length + 2 + TOLD_AT_ONCE).toBe(100);
  expect(after.calendar_ids).toHaveLength(after.writes.length);
});
