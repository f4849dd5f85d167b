import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CaldavServer } from '../../../support/caldav-server.ts';
import { givenSynced, runSync, syncNow } from '../../../support/calendar-sync.ts';
import { allEvents, givenEvent } from '../../../support/events.ts';
import { codeOf } from '../../../support/failures.ts';
import { calendarFile, vevent } from '../../../support/ics.ts';
import { WIDE } from '../../../support/large-data.ts';
import { longIt } from '../../../support/long.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

describe('changes of events that are kept at a server', () => {
  let workspace: Workspace;
  let server: CaldavServer;
  let mailbox_id: string;
  let path: string;
  let calendar_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    server = await new CaldavServer().start();
    path = server.calendar('Ferries');
    mailbox_id = await givenSynced(workspace, workspace.ada, server);
    calendar_id =
      (await workspace.ada.reader.listCalendars({ query: { mailbox_id } })).body.collection.records[1]?.id ??
      '';
  });
  afterAll(async () => {
    await server.stop();
    await workspace.stop();
  });
  beforeEach(() => {
    server.instead = () => undefined;
  });

  const events = () => allEvents(workspace.ada, { calendar_id, starts_after: '2026-11-01T00:00:00Z' });
  const named = async (name: string) => (await events()).find((each) => each.name === name);
  const sync = () => syncNow(workspace, workspace.ada, mailbox_id);
  const mailbox = async () =>
    (await workspace.ada.reader.retrieveMailbox({ params: { id: mailbox_id } })).body.mailbox;
  const update = (id: string | undefined, fields: object, scope?: 'this' | 'all' | 'following') =>
    workspace.ada.api.updateCalendarEvent({
      params: { id: `${id}` },
      body: { calendar_event: fields as never, ...(scope ? { scope } : {}) },
    });
  const given = async (name: string, uid: string, ...lines: string[]) => {
    server.write(`${path}${uid}.ics`, calendarFile([vevent(uid, `SUMMARY:${name}`, ...lines)]));
    await sync();
    return named(name);
  };
  const text = (uid: string) => (server.read(`${path}${uid}.ics`) ?? '').replace(/\r\n[ \t]/g, '');

  longIt('are written there: a new event, its change, its deletion, and its return', async () => {
    const event = await givenEvent(workspace.ada, calendar_id, { name: 'Made here', location: 'Pier 3' });
    await runSync(workspace);
    expect(text(event.id)).toContain('SUMMARY:Made here');
    expect(text(event.id)).not.toMatch(/ORGANIZER|ATTENDEE/);
    await update(event.id, { name: 'Changed here' });
    await runSync(workspace);
    expect(text(event.id)).toContain('SUMMARY:Changed here');
    expect(text(event.id)).toContain('LOCATION:Pier 3');
    await sync();
    expect((await events()).map(({ name }) => name)).toEqual(['Changed here']);
    await workspace.ada.api.deleteCalendarEvent({ params: { id: event.id } });
    await runSync(workspace);
    expect(server.paths(path)).toEqual([]);
    await sync();
    await workspace.ada.api.restoreRecord({
      params: { record_type: 'calendar_events', record_id: event.id } as never,
    });
    await runSync(workspace);
    expect(text(event.id)).toContain('SUMMARY:Changed here');
  });

  it('do not come back as changes of the server', async () => {
    const event = await givenEvent(workspace.ada, calendar_id, { name: 'Mine' });
    await runSync(workspace);
    server.asked.length = 0;
    await sync();
    await sync();
    expect(server.asked.filter((each) => /^(PUT|GET)/.test(each))).toEqual([]);
    const read = (await workspace.ada.reader.retrieveCalendarEvent({ params: { id: event.id } })).body;
    expect(read.calendar_event).toEqual(event);
  });

  it('leave what the service does not know as it is', async () => {
    const event = await given(
      ...(['Theirs', 'theirs'] as const),
      ...['X-COLOR:red', 'ORGANIZER;CN=Bob:mailto:bob@out.example'],
      'ATTENDEE;CN=Ann;RSVP=TRUE;X-NUM=7;PARTSTAT=DELEGATED:mailto:ann@out.example',
      'ATTENDEE;CUTYPE=ROOM:urn:room:3',
      ...['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT15M', 'END:VALARM'],
    );
    await update(event?.id, { location: 'Pier 4' });
    await runSync(workspace);
    const written = text('theirs');
    for (const kept of [
      'X-COLOR:red',
      'BEGIN:VALARM',
      'TRIGGER:-PT15M',
      'RSVP=TRUE',
      'X-NUM=7',
      'PARTSTAT=DELEGATED',
      'urn:room:3',
    ])
      expect(written).toContain(kept);
    expect(written).toContain('LOCATION:Pier 4');
    expect(written).toContain('SUMMARY:Theirs');
  });

  longIt('meet changes there part by part: ours of what both changed', async () => {
    const event = await given('Both', 'both', 'LOCATION:Pier 1');
    await update(event?.id, { name: 'Ours' });
    server.write(`${path}both.ics`, calendarFile([vevent('both', 'SUMMARY:Their name', 'LOCATION:Pier 2')]));
    await runSync(workspace);
    expect(text('both')).toContain('SUMMARY:Ours');
    expect(text('both')).toContain('LOCATION:Pier 2');
    expect(await named('Ours')).toMatchObject({ location: 'Pier 2' });
    // Written now: the next change there counts.
    server.write(`${path}both.ics`, calendarFile([vevent('both', 'SUMMARY:Later', 'LOCATION:Pier 2')]));
    await sync();
    expect(await named('Later')).toMatchObject({ location: 'Pier 2' });
  });

  it('are written over a version that came between reading and writing', async () => {
    const event = await given('Race', 'race');
    await update(event?.id, { name: 'Ours in a race' });
    let once = true;
    server.instead = ({ method }) => {
      if (method === 'PUT' && once) {
        once = false;
        server.write(`${path}race.ics`, calendarFile([vevent('race', 'SUMMARY:Race', 'LOCATION:Pier 9')]));
      }
      return undefined;
    };
    await runSync(workspace);
    expect(text('race')).toContain('SUMMARY:Ours in a race');
    expect(text('race')).toContain('LOCATION:Pier 9');
  });

  longIt('a deletion wins over a change, on either side', async () => {
    const there = await given('Deleted there', 'deleted-there');
    await update(there?.id, { name: 'Changed here too late' });
    server.remove(`${path}deleted-there.ics`);
    await runSync(workspace);
    await sync();
    expect(text('deleted-there')).toBe('');
    expect(await named('Changed here too late')).toBeUndefined();
    const here = await given('Deleted here', 'deleted-here');
    await workspace.ada.api.deleteCalendarEvent({ params: { id: `${here?.id}` } });
    server.write(`${path}deleted-here.ics`, calendarFile([vevent('deleted-here', 'SUMMARY:Changed there')]));
    await runSync(workspace);
    await sync();
    expect(text('deleted-here')).toBe('');
    expect(await named('Changed there')).toBeUndefined();
  });

  longIt('of occurrences are exceptions of their series there', async () => {
    await given(
      'Weekly',
      'weekly',
      'DTSTART;TZID=Europe/London:20261102T090000',
      'DURATION:PT1H',
      'RRULE:FREQ=WEEKLY;COUNT=5',
      'X-KEEP:1',
    );
    const all = (await events()).filter(({ name }) => name === 'Weekly');
    await update(all[1]?.id, {
      name: 'Different',
      starts_at: '2026-11-09T12:00:00Z',
      ends_at: '2026-11-09T13:00:00Z',
    });
    await workspace.ada.api.deleteCalendarEvent({ params: { id: `${all[2]?.id}` } });
    await runSync(workspace);
    const written = text('weekly');
    expect(written.match(/BEGIN:VEVENT/g)).toHaveLength(2);
    expect(written).toContain('RECURRENCE-ID;TZID=Europe/London:20261109T090000');
    expect(written).toContain('EXDATE;TZID=Europe/London:20261116T090000');
    expect(written).toContain('X-KEEP:1');
    await workspace.ada.api.deleteCalendarEvent({ params: { id: `${all[1]?.id}` } });
    await runSync(workspace);
    expect(text('weekly').match(/BEGIN:VEVENT/g)).toHaveLength(1);
    await sync();
    const left = (await events()).filter(({ name }) => name === 'Weekly');
    expect(left.map(({ starts_at }) => starts_at.slice(0, 10))).toEqual([
      '2026-11-02',
      '2026-11-23',
      '2026-11-30',
    ]);
    await update(left[1]?.id, { name: 'Later ones' }, 'following');
    await runSync(workspace);
    expect(text('weekly')).toContain('UNTIL=20261122');
    const later = await named('Later ones');
    expect(text(`${later?.recurring_event_id}`)).toContain('SUMMARY:Later ones');
    await sync();
    const names = (await events()).filter(({ name }) => ['Weekly', 'Later ones'].includes(`${name}`));
    expect(names.map(({ name }) => name)).toEqual(['Weekly', 'Later ones', 'Later ones']);
  });

  it('wait while the server is away, and are written by the next reading', async () => {
    const event = await given('Patient', 'patient');
    await update(event?.id, { name: 'Still patient' });
    server.instead = () => ({ status: 503 });
    await runSync(workspace);
    server.instead = () => undefined;
    expect(text('patient')).toContain('SUMMARY:Patient');
    await sync();
    expect(text('patient')).toContain('SUMMARY:Still patient');
  });

  longIt('that the server refuses stay here, and show', async () => {
    const event = await given('Refused', 'refused');
    server.instead = ({ method }) => (method === 'PUT' ? { status: 403 } : undefined);
    await update(event?.id, { name: 'Only here' });
    await runSync(workspace);
    expect(text('refused')).toContain('SUMMARY:Refused');
    expect(await named('Only here')).toBeDefined();
    const refused = { last_error: { code: 'event_refused' } };
    for (const _ of ['at first', 'and as long as it is so']) {
      await sync();
      expect((await mailbox()).sync).toMatchObject(refused);
    }
    server.instead = () => undefined;
    await update(event?.id, { name: 'Everywhere' });
    await runSync(workspace);
    expect(text('refused')).toContain('SUMMARY:Everywhere');
    await sync();
    expect((await mailbox()).sync.last_error).toBeNull();
  });

  longIt(
    'that are larger than what is read of an event stay here, and show',
    { timeout: 120_000 },
    async () => {
      const { id } = await givenEvent(workspace.ada, calendar_id, {
        ...{ name: 'Large', time_zone: 'UTC', recurrence: ['FREQ=DAILY;COUNT=40'] },
      });
      await runSync(workspace);
      const occurrences = (await events()).filter((each) => each.recurring_event_id === id);
      for (const each of occurrences.slice(0, 27))
        await update(each.id, { description_html: WIDE.repeat(20_000) });
      const other = await givenEvent(workspace.ada, calendar_id, { name: 'Beside' });
      await runSync(workspace);
      expect(Buffer.byteLength(text(id))).toBeLessThan(4 * 1024 * 1024);
      expect(text(other.id)).toContain('SUMMARY:Beside');
      await sync();
      expect((await mailbox()).sync).toMatchObject({ last_error: { code: 'event_refused' } });
      await workspace.ada.api.deleteCalendarEvent({ params: { id } });
      await runSync(workspace);
      expect(text(id)).toBe('');
      await sync();
      expect((await mailbox()).sync.last_error).toBeNull();
    },
  );

  longIt('are refused in calendars that are only read, or not followed', async () => {
    const props =
      '<d:displayname>Shared</d:displayname><d:current-user-privilege-set><d:privilege><d:read/></d:privilege></d:current-user-privilege-set>';
    const shared = server.calendar('Shared', props);
    server.write(`${shared}s.ics`, calendarFile([vevent('s', 'SUMMARY:Of others')]));
    await sync();
    const { ada } = workspace;
    const all = (await ada.reader.listCalendars({ query: { mailbox_id } })).body.collection.records;
    const read = all.find(({ name }) => name === 'Shared');
    expect(read).toMatchObject({ read_only: true, sync_enabled: true });
    const [event] = await allEvents(ada, {
      calendar_id: `${read?.id}`,
      starts_after: '2026-11-01T00:00:00Z',
    });
    expect(event?.name).toBe('Of others');
    expect(await codeOf(update(event?.id, { name: 'x' }))).toBe('422 calendar_read_only');
    expect(await codeOf(ada.api.deleteCalendarEvent({ params: { id: `${event?.id}` } }))).toBe(
      '422 calendar_read_only',
    );
    const mine = await given('Followed', 'followed');
    await ada.api.updateCalendar({
      params: { id: calendar_id },
      body: { calendar: { sync_enabled: false } },
    });
    expect(await codeOf(update(mine?.id, { name: 'x' }))).toBe('422 calendar_read_only');
    await ada.api.updateCalendar({ params: { id: calendar_id }, body: { calendar: { sync_enabled: true } } });
    await ada.api.updateMailbox({ params: { id: mailbox_id }, body: { mailbox: { calendar_sync: false } } });
    expect(await codeOf(update(mine?.id, { name: 'x' }))).toBe('422 calendar_read_only');
    await ada.api.updateMailbox({ params: { id: mailbox_id }, body: { mailbox: { calendar_sync: true } } });
    await update(mine?.id, { name: 'Followed again' });
    await runSync(workspace);
    expect(text('followed')).toContain('SUMMARY:Followed again');
  });
});
