import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { longIt } from '../../support/long.ts';
import { givenEntry, givenMailbox } from '../../support/mail.ts';
import { subjectsOf } from '../../support/thread-lists.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** Minutes since the beginning of 2026, by which `givenEntry` places a thread. */
const minute = (moment: string) => (Date.parse(`${moment}Z`) - Date.UTC(2026, 0, 1)) / 60_000;

describe('the slices today and workweek', () => {
  let workspace: Workspace;
  let mailbox: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    mailbox = await givenMailbox(workspace, workspace.ada);
  });
  afterAll(() => workspace.stop());

  const there = new Set<string>();
  const given = (moments: string[]) =>
    Promise.all(
      moments.map(async (moment) => {
        if (there.has(moment)) return;
        there.add(moment);
        await givenEntry(workspace.table, workspace.ada.user, {
          number: minute(moment),
          mailbox_ids: [mailbox],
          subject: moment,
        });
      }),
    );

  async function at(now: string, time_zone: string, week_starts_on: 'monday' | 'sunday' = 'monday') {
    await workspace.table.update<User>(keys.user(workspace.account_id, workspace.ada.user.id), {
      set: { time_zone, week_starts_on },
    });
    workspace.setTime(new Date(`${now}Z`));
  }

  /** The first and the last minute of the day in UTC, without those beside it. */
  it.each([
    ['a plain day', 'Europe/London', '2026-11-20T21:00', '2026-11-20T00:00', '2026-11-20T23:59'],
    ['east of UTC', 'Asia/Tokyo', '2026-06-10T16:00', '2026-06-10T15:00', '2026-06-11T14:59'],
    ['half an hour off', 'Asia/Kolkata', '2026-07-01T12:00', '2026-06-30T18:30', '2026-07-01T18:29'],
    ['a day of 23 hours', 'America/New_York', '2026-03-08T12:00', '2026-03-08T05:00', '2026-03-09T03:59'],
    ['a day of 25 hours', 'America/New_York', '2026-11-01T12:00', '2026-11-01T04:00', '2026-11-02T04:59'],
    [
      'a day without midnight',
      'America/Santiago',
      '2026-09-06T12:00',
      '2026-09-06T04:00',
      '2026-09-07T02:59',
    ],
    ['the first minute', 'Pacific/Auckland', '2026-05-04T12:00', '2026-05-04T12:00', '2026-05-05T11:59'],
    ['the last minute', 'Pacific/Honolulu', '2026-05-20T09:59', '2026-05-19T10:00', '2026-05-20T09:59'],
  ])(
    'today keeps threads whose latest message was sent today: %s in %s',
    async (_, zone, now, first, last) => {
      const before = new Date(Date.parse(`${first}Z`) - 60_000).toISOString().slice(0, 16);
      const after = new Date(Date.parse(`${last}Z`) + 60_000).toISOString().slice(0, 16);
      await given([before, first, last, after]);
      await at(now, zone);
      expect(await subjectsOf(workspace.ada.reader, { slice: 'today' })).toEqual([last, first]);
    },
  );

  it.each([
    ['Friday', 'Europe/London', 'monday', '2026-11-20T21:00', '2026-11-16T00:00'],
    ['Friday', 'Europe/London', 'sunday', '2026-11-20T21:00', '2026-11-15T00:00'],
    ['Sunday', 'Europe/London', 'monday', '2026-11-29T12:00', '2026-11-23T00:00'],
    ['Sunday', 'Europe/London', 'sunday', '2026-12-06T12:00', '2026-12-06T00:00'],
    ['Monday', 'Europe/London', 'monday', '2026-12-14T00:00', '2026-12-14T00:00'],
    ['Sunday by the clock of the zone', 'Asia/Tokyo', 'sunday', '2026-12-19T16:00', '2026-12-19T15:00'],
    ['clocks went back', 'Europe/London', 'sunday', '2026-10-27T12:00', '2026-10-24T23:00'],
    ['clocks went back within it', 'Europe/London', 'monday', '2026-10-25T12:00', '2026-10-18T23:00'],
    ['clocks went forward', 'America/New_York', 'sunday', '2026-03-10T12:00', '2026-03-08T05:00'],
  ] as const)(
    'workweek keeps those sent since the start of this week: %s in %s, which begins on %s',
    async (_, zone, day, now, first) => {
      const before = new Date(Date.parse(`${first}Z`) - 60_000).toISOString().slice(0, 16);
      await given([before, first]);
      await at(now, zone, day);
      const kept = await subjectsOf(workspace.ada.reader, { slice: 'workweek' });
      expect(kept).toContain(first);
      expect(kept).not.toContain(before);
    },
  );

  longIt('combine with filters, and with a cursor of the day', async () => {
    await at('2026-02-10T12:00', 'Europe/London');
    const moments = Array.from(
      { length: 61 },
      (_, i) => `2026-02-10T${10 + Math.floor(i / 60)}:${String(i % 60).padStart(2, '0')}`,
    );
    await given(['2026-02-09T23:59', ...moments]);
    expect(await subjectsOf(workspace.ada.reader, { slice: 'today' })).toEqual(moments.toReversed());
    const late = { slice: 'today', last_sent_after: '2026-02-10T10:57:00Z' };
    expect(await subjectsOf(workspace.ada.reader, late)).toEqual(moments.slice(58).toReversed());
    expect(await subjectsOf(workspace.ada.reader, { slice: 'today', unread: true })).toEqual([]);
  });
});
