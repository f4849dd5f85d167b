import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as sweep } from '../../../../functions/queues/sweep-jobs.ts';
import { CaldavServer } from '../../../support/caldav-server.ts';
import { connect, givenSynced, runSync, syncNow } from '../../../support/calendar-sync.ts';
import { allEvents, givenEvent, shareMailbox } from '../../../support/events.ts';
import { codeOf } from '../../../support/failures.ts';
import { calendarFile, vevent } from '../../../support/ics.ts';
import { openJobs, sentTooOften } from '../../../support/jobs.ts';
import { longIt } from '../../../support/long.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

describe('calendars at a server', () => {
  let workspace: Workspace;
  let server: CaldavServer;
  let mailbox_id: string;
  let path: string;
  let calendar_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    server = await new CaldavServer().start();
    path = server.calendar('Ferries');
    server.write(`${path}one.ics`, calendarFile([vevent('one', 'SUMMARY:One')]));
    mailbox_id = await givenSynced(workspace, workspace.ada, server);
    calendar_id = (await calendars())[1]?.id ?? '';
  });
  afterAll(async () => {
    await server.stop();
    await workspace.stop();
  });
  beforeEach(() => {
    server.instead = () => undefined;
  });

  const calendars = async () =>
    (await workspace.ada.reader.listCalendars({ query: { mailbox_id } })).body.collection.records;
  const events = (query: object = {}) =>
    allEvents(workspace.ada, { calendar_id, starts_after: '2026-11-01T00:00:00Z', ...query });
  const names = async () => (await events()).map(({ name }) => name);
  const mailbox = async () =>
    (await workspace.ada.reader.retrieveMailbox({ params: { id: mailbox_id } })).body.mailbox;
  const sync = (full = false) => syncNow(workspace, workspace.ada, mailbox_id, full);
  const clear = async () => {
    for (const each of server.paths(path)) server.remove(each);
    await sync();
  };

  it('become calendars of the mailbox, with their events', async () => {
    expect(await calendars()).toMatchObject([
      { primary: true, sync_enabled: false, last_synced_at: null },
      {
        ...{ name: 'Ferries', sync_enabled: true, read_only: false, primary: false, mailbox_id },
        last_synced_at: expect.any(String),
      },
    ]);
    expect(await names()).toEqual(['One']);
    expect(await mailbox()).toMatchObject({
      ...{ status: 'active', lock: null, calendar_sync: true },
      sync: { last_finished_at: expect.any(String), next_at: expect.any(String), last_error: null },
    });
    const own = (await calendars())[0]?.id ?? '';
    expect(
      await allEvents(workspace.ada, { calendar_id: own, starts_after: '2026-11-01T00:00:00Z' }),
    ).toEqual([]);
    expect(await codeOf(workspace.linus.reader.listCalendarEvents({ query: { calendar_id } }))).toBe(
      '404 record_not_found',
    );
    await shareMailbox(workspace.ada, mailbox_id, workspace.linus);
    const seen = await allEvents(workspace.linus, { calendar_id, starts_after: '2026-11-01T00:00:00Z' });
    expect(seen.map(({ name }) => name)).toEqual(['One']);
  });

  longIt('changes and deletions there arrive, and only what changed is read', async () => {
    const [before] = await events();
    server.write(`${path}one.ics`, calendarFile([vevent('one', 'SUMMARY:Uno')]));
    server.write(`${path}two.ics`, calendarFile([vevent('two', 'SUMMARY:Two')]));
    await sync();
    const after = await events();
    expect(after.map(({ name }) => name).sort()).toEqual(['Two', 'Uno']);
    expect(after.map(({ id }) => id)).toContain(before?.id);
    server.asked.length = 0;
    await sync();
    expect(server.asked.filter((each) => each.startsWith('REPORT'))).toEqual([`REPORT ${path}`]);
    server.remove(`${path}one.ics`);
    await sync();
    expect(await names()).toEqual(['Two']);
    await clear();
    expect(await names()).toEqual([]);
  });

  longIt('series come with exceptions, which end when they end there', async () => {
    const series = vevent(
      'week',
      'DTSTART;TZID=Europe/London:20261102T090000',
      'DURATION:PT1H',
      'RRULE:FREQ=WEEKLY;COUNT=3',
    );
    const moved = vevent(
      'week',
      'RECURRENCE-ID;TZID=Europe/London:20261109T090000',
      'SUMMARY:Moved',
      'DTSTART;TZID=Europe/London:20261110T120000',
      'DURATION:PT1H',
    );
    server.write(`${path}week.ics`, calendarFile([moved, series]));
    await sync();
    const times = async () =>
      (await events()).map(({ starts_at, name }) => `${starts_at.slice(0, 16)} ${name}`);
    expect(await times()).toEqual([
      ...['2026-11-02T09:00 Ferry timetable', '2026-11-10T12:00 Moved', '2026-11-16T09:00 Ferry timetable'],
    ]);
    server.write(`${path}week.ics`, calendarFile([series]));
    await sync();
    expect(await times()).toEqual(['02', '09', '16'].map((day) => `2026-11-${day}T09:00 Ferry timetable`));
    const shorter = series.replace('RRULE', 'EXDATE;TZID=Europe/London:20261109T090000\r\nRRULE');
    server.write(`${path}week.ics`, calendarFile([shorter]));
    await sync();
    expect(await times()).toEqual(['02', '16'].map((day) => `2026-11-${day}T09:00 Ferry timetable`));
    await clear();
  });

  longIt.each([
    ['no event at all', 'END:VCALENDAR\r\n'],
    ['an event without a start', calendarFile([vevent('bad2').replace(/DT(START|END).*\r\n/g, '')])],
    ['a rule that repeats by the second', calendarFile([vevent('bad3', 'RRULE:FREQ=SECONDLY')])],
    ['an event without an id', calendarFile([vevent('bad4').replace('UID:bad4\r\n', '')])],
    ['an event of 300 kB', calendarFile([vevent('bad5', `DESCRIPTION:${'x'.repeat(300_000)}`)])],
    ['a description that is too long', calendarFile([vevent('bad6', `DESCRIPTION:${'x'.repeat(30_000)}`)])],
  ])('%s does not keep the others, and shows until it is put right', async (what, text) => {
    const uid = /UID:(.*)\r\n/.exec(text)?.[1] ?? what;
    server.write(`${path}bad.ics`, text);
    server.write(`${path}good.ics`, calendarFile([vevent('good', 'SUMMARY:Good')]));
    await sync();
    expect(await names()).toEqual(['Good']);
    const error = (await mailbox()).sync.last_error;
    expect(error?.code).toBe(what === 'no event at all' ? undefined : 'events_unreadable');
    await sync();
    expect((await mailbox()).sync.last_error).toEqual(error);
    server.write(`${path}bad.ics`, calendarFile([vevent(uid, 'SUMMARY:Mended')]));
    await sync();
    expect((await names()).sort()).toEqual(['Good', 'Mended']);
    expect((await mailbox()).sync.last_error).toBeNull();
    await clear();
  });

  longIt('a token that is not valid any more leads to a whole reading', async () => {
    server.write(`${path}a.ics`, calendarFile([vevent('a', 'SUMMARY:A')]));
    server.write(`${path}b.ics`, calendarFile([vevent('b', 'SUMMARY:B')]));
    await sync();
    server.remove(`${path}a.ics`);
    server.instead = ({ method, body }) =>
      method === 'REPORT' && body.includes('urn:token:') ? { status: 403 } : undefined;
    await sync();
    expect(await names()).toEqual(['B']);
  });

  longIt('a server without tokens is read by its ETags', async () => {
    server.write(`${path}c.ics`, calendarFile([vevent('c', 'SUMMARY:C')]));
    server.remove(`${path}b.ics`);
    server.instead = ({ method, body }) =>
      method === 'REPORT' && body.includes('sync-collection') ? { status: 415 } : undefined;
    await sync(true);
    expect(await names()).toEqual(['C']);
    await sync();
    expect(await names()).toEqual(['C']);
  });

  longIt.each([
    [
      'half an answer',
      { status: 207, headers: { 'Content-Type': 'text/xml' }, body: '<d:multistatus xmlns:d="DAV:">' },
    ],
    ['an answer with entities', { status: 207, body: '<!DOCTYPE x [<!ENTITY a "b">]><multistatus/>' }],
    ['no XML', { status: 207, body: 'BEGIN:VCALENDAR' }],
    ['an error', { status: 500 }],
    ['a wait', { status: 503, headers: { 'Retry-After': '9' } }],
  ])('%s deletes nothing, and shows until the server is well', async (_, answer) => {
    server.instead = ({ method, body }) =>
      method === 'REPORT' && body.includes('sync-collection') ? answer : undefined;
    await sync(true);
    expect(await names()).toEqual(['C']);
    expect((await mailbox()).sync.last_error).toMatchObject({ code: 'server_unavailable' });
    server.instead = () => undefined;
    await sync();
    expect((await mailbox()).sync.last_error).toBeNull();
  });

  longIt('a server that is away is asked less and less often', async () => {
    server.instead = () => ({ status: 500 });
    const waits: number[] = [];
    for (let i = 0; i < 3; i++) {
      await sync();
      const { last_finished_at, next_at } = (await mailbox()).sync;
      waits.push((Date.parse(next_at ?? '') - Date.parse(last_finished_at ?? '')) / 60_000);
    }
    expect(waits).toEqual([10, 20, 40]);
    expect((await mailbox()).status).toBe('active');
    server.instead = () => undefined;
    await sync();
  });

  it('a calendar that is gone there stays to be read', async () => {
    const other = server.calendar('Old');
    server.write(`${other}x.ics`, calendarFile([vevent('x', 'SUMMARY:Old one')]));
    await sync();
    server.removeCalendar(other);
    await sync();
    const old = (await calendars()).find(({ name }) => name === 'Old');
    expect(old).toMatchObject({ read_only: true, sync_enabled: false });
    const kept = await allEvents(workspace.ada, {
      calendar_id: `${old?.id}`,
      starts_after: '2026-11-01T00:00:00Z',
    });
    expect(kept.map(({ name }) => name)).toEqual(['Old one']);
  });

  longIt(
    'a password that the server refuses three times locks the mailbox, and a new one unlocks it',
    async () => {
      const { ada } = workspace;
      server.password = 'changed password';
      for (let i = 0; i < 3; i++) {
        const { status, sync: reading } = await mailbox();
        expect(status).toBe('active');
        workspace.setTime(new Date(`${reading.next_at}`));
        await sync();
      }
      workspace.setTime(undefined);
      expect(await mailbox()).toMatchObject({
        ...{ status: 'locked', lock: { code: 'credentials_refused', locked_at: expect.any(String) } },
        sync: { next_at: null },
      });
      const refused = ['422 mailbox_locked', '422 mailbox_locked', '422 mailbox_locked'];
      const [event] = await events();
      const params = { id: `${event?.id}` };
      const draft = {
        calendar_id,
        name: 'x',
        starts_at: '2026-11-23T09:00:00Z',
        ends_at: '2026-11-23T10:00:00Z',
      };
      expect([
        await codeOf(ada.api.syncMailbox({ params: { mailbox_id }, body: {} })),
        await codeOf(ada.api.createCalendarEvent({ body: { calendar_event: draft } })),
        await codeOf(ada.api.deleteCalendarEvent({ params })),
      ]).toEqual(refused);
      await connect(ada, mailbox_id, { url: server.url, password: server.password });
      expect(await mailbox()).toMatchObject({ status: 'active', lock: null });
      server.write(`${path}d.ics`, calendarFile([vevent('d', 'SUMMARY:D')]));
      await runSync(workspace);
      expect((await names()).sort()).toEqual(['C', 'D']);
    },
  );

  longIt('a reading whose job was sent too often shows that, and is tried again later', async () => {
    await workspace.ada.api.syncMailbox({ params: { mailbox_id }, body: {} });
    await sentTooOften(workspace.table, 'sync-calendars');
    await sweep();
    expect(await openJobs(workspace.table, 'sync-calendars')).toEqual([]);
    expect((await mailbox()).sync).toMatchObject({
      ...{ last_error: { code: 'reading_stopped' }, next_at: expect.any(String) },
    });
    await sync();
    expect((await mailbox()).sync).toMatchObject({ last_error: null });
  });

  it('an event that was deleted in another calendar stays so, whatever names it', async () => {
    const own = (await calendars())[0]?.id ?? '';
    const { id } = await givenEvent(workspace.ada, own);
    await workspace.ada.api.deleteCalendarEvent({ params: { id }, query: {} } as never);
    server.write(`${path}claimed.ics`, calendarFile([vevent(id)], 'METHOD:CANCEL'));
    await sync();
    expect(await codeOf(workspace.ada.reader.retrieveCalendarEvent({ params: { id } }))).toBe(
      '404 record_not_found',
    );
  });
});
