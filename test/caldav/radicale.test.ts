import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerCalendar } from '#shared/domain/calendar/calendars/calendar.ts';
import { keys } from '#shared/table/keys.ts';
import { connect, runSync, syncNow } from '../support/calendar-sync.ts';
import { allEvents, givenEvent } from '../support/events.ts';
import { problemsOf } from '../support/failures.ts';
import { calendarFile, vevent } from '../support/ics.ts';
import { givenMailbox } from '../support/mail.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';
import { PASSWORD, type Radicale, startRadicale } from './radicale.ts';

const CALENDAR = `<?xml version="1.0"?><c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"
  xmlns:a="http://apple.com/ns/ical/"><d:set><d:prop><d:displayname>Ferries</d:displayname>
  <a:calendar-color>#2f6fedff</a:calendar-color></d:prop></d:set></c:mkcalendar>`;

describe('calendars at Radicale', () => {
  let radicale: Radicale;
  let workspace: Workspace;
  let mailbox_id: string;
  let calendar_id: string;
  beforeAll(async () => {
    radicale = await startRadicale();
    workspace = await startWorkspace();
    workspace.ctx.config.calendar_hosts.push(radicale.host);
    expect((await radicale.ask('MKCALENDAR', '/ada/ferries/', CALENDAR)).status).toBe(201);
    await write('first', 'SUMMARY:First');
    mailbox_id = await givenMailbox(workspace, workspace.ada, workspace.account_id);
  });
  afterAll(async () => {
    await workspace?.stop();
    await radicale?.stop();
  });

  const write = (uid: string, ...lines: string[]) => writeFile(uid, calendarFile([vevent(uid, ...lines)]));
  const writeFile = async (uid: string, text: string) => {
    const answer = await radicale.ask('PUT', `/ada/ferries/${uid}.ics`, text, {
      'Content-Type': 'text/calendar',
    });
    expect(answer.status).toBeLessThan(300);
  };
  const text = async (uid: string) => {
    const answer = await radicale.ask('GET', `/ada/ferries/${uid}.ics`);
    return answer.ok ? (await answer.text()).replace(/\r?\n[ \t]/g, '') : '';
  };
  const events = () => allEvents(workspace.ada, { calendar_id, starts_after: '2026-11-01T00:00:00Z' });
  const named = async (name: string) => (await events()).find((each) => each.name === name);
  const sync = (full = false) => syncNow(workspace, workspace.ada, mailbox_id, full);

  it('are found by the address of the server, and a wrong password is refused', async () => {
    const { ada } = workspace;
    const wrong = connect(ada, mailbox_id, { url: radicale.url, password: 'wrong' });
    expect(await problemsOf(wrong)).toEqual({ 'caldav.password': 'invalid' });
    await connect(ada, mailbox_id, { url: radicale.url, password: PASSWORD });
    await runSync(workspace);
    const all = (await ada.reader.listCalendars({ query: { mailbox_id } })).body.collection.records;
    expect(all[1]).toMatchObject({ name: 'Ferries', color: '#2F6FED', sync_enabled: true, read_only: false });
    calendar_id = `${all[1]?.id}`;
    expect((await events()).map(({ name }) => name)).toEqual(['First']);
  });

  it('changes and deletions go both ways, and own ones do not come back', async () => {
    const { ada } = workspace;
    const event = await givenEvent(ada, calendar_id, { name: 'Made here' });
    await runSync(workspace);
    expect(await text(event.id)).toContain('SUMMARY:Made here');
    const before = (await ada.reader.retrieveCalendarEvent({ params: { id: event.id } })).body.calendar_event;
    await sync();
    expect(
      (await ada.reader.retrieveCalendarEvent({ params: { id: event.id } })).body.calendar_event,
    ).toEqual(before);
    await write('first', 'SUMMARY:Changed there', 'X-KEPT:1', 'LOCATION:Pier 1');
    await sync();
    const first = await named('Changed there');
    await ada.api.updateCalendarEvent({
      params: { id: `${first?.id}` },
      body: { calendar_event: { name: 'Changed here' } },
    });
    await runSync(workspace);
    const written = await text('first');
    expect(written).toContain('SUMMARY:Changed here');
    expect(written).toContain('X-KEPT:1');
    await ada.api.deleteCalendarEvent({ params: { id: `${first?.id}` } });
    await runSync(workspace);
    expect(await text('first')).toBe('');
    await radicale.ask('DELETE', `/ada/ferries/${event.id}.ics`);
    await sync();
    expect(await events()).toEqual([]);
    await write('first', 'SUMMARY:There again');
    await sync();
    expect((await events()).map(({ name }) => name)).toEqual(['There again']);
  });

  it('series with exceptions go both ways', async () => {
    const zone = 'TZID=Europe/London';
    const series = vevent(
      'week',
      `DTSTART;${zone}:20261102T090000`,
      'DURATION:PT1H',
      'RRULE:FREQ=WEEKLY;COUNT=4',
      'SUMMARY:Weekly',
    );
    const moved = vevent(
      'week',
      `RECURRENCE-ID;${zone}:20261109T090000`,
      `DTSTART;${zone}:20261110T120000`,
      'DURATION:PT1H',
      'SUMMARY:Moved',
    );
    const rules =
      'BEGIN:VTIMEZONE\r\nTZID:Europe/London\r\nBEGIN:STANDARD\r\nDTSTART:19701025T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n';
    await writeFile('week', calendarFile([rules, series, moved]));
    await sync();
    const weekly = (await events()).filter(({ name }) => ['Weekly', 'Moved'].includes(`${name}`));
    expect(weekly.map(({ starts_at }) => starts_at.slice(0, 16))).toEqual([
      ...['2026-11-02T09:00', '2026-11-10T12:00', '2026-11-16T09:00', '2026-11-23T09:00'],
    ]);
    const { ada } = workspace;
    await ada.api.updateCalendarEvent({
      params: { id: `${weekly[2]?.id}` },
      body: { calendar_event: { name: 'Third' } },
    });
    await ada.api.deleteCalendarEvent({ params: { id: `${weekly[3]?.id}` } });
    await runSync(workspace);
    const written = await text('week');
    expect(written.match(/BEGIN:VEVENT/g)).toHaveLength(3);
    expect(written).toMatch(/EXDATE;TZID=Europe\/London:20261123T090000/);
    await sync(true);
    const names = (await events()).map(({ name }) => name);
    expect(names.filter((name) => name !== 'There again')).toEqual(['Weekly', 'Moved', 'Third']);
  });

  it('a version that came in between is merged', async () => {
    await write('both', 'SUMMARY:Both', 'LOCATION:Pier 1');
    await sync();
    const event = await named('Both');
    await workspace.ada.api.updateCalendarEvent({
      params: { id: `${event?.id}` },
      body: { calendar_event: { name: 'Ours' } },
    });
    await write('both', 'SUMMARY:Both', 'LOCATION:Pier 2');
    await runSync(workspace);
    const written = await text('both');
    expect(written).toContain('SUMMARY:Ours');
    expect(written).toContain('LOCATION:Pier 2');
    expect(await named('Ours')).toMatchObject({ location: 'Pier 2' });
  });

  // RFC 6578.
  it('goes on from a sync token, and reads all of it when the server takes the token no more', async () => {
    const key = keys.calendar(workspace.account_id, calendar_id);
    const token = async () => (await workspace.table.get<ServerCalendar>(key))?.sync_token;
    const changesSince = async (from: string) => {
      const body = `<?xml version="1.0"?><d:sync-collection xmlns:d="DAV:"><d:sync-token>${from}</d:sync-token>
        <d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>`;
      const answer = await radicale.ask('REPORT', '/ada/ferries/', body);
      return [
        answer.status,
        [...(await answer.text()).matchAll(/ferries\/([\w-]+)\.ics/g)].map(([, uid]) => uid),
      ];
    };
    await sync();
    const first = `${await token()}`;
    await write('since', 'SUMMARY:Since');
    expect(await changesSince(first)).toEqual([207, ['since']]);
    await sync();
    const second = `${await token()}`;
    expect(second).not.toBe(first);
    expect(await changesSince(second)).toEqual([207, []]);
    const before = await events();
    const lost = `http://radicale.org/ns/sync/${'0'.repeat(64)}`;
    expect((await changesSince(lost))[0]).toBe(403);
    await workspace.table.update<ServerCalendar>(key, { set: { sync_token: lost } });
    await radicale.ask('DELETE', '/ada/ferries/since.ics');
    await sync();
    expect(await events()).toEqual(before.filter(({ name }) => name !== 'Since'));
    expect(await changesSince(`${await token()}`)).toEqual([207, []]);
  });

  it('a server that was away is read when it is back', async () => {
    await write('later', 'SUMMARY:Later');
    const { calendar_hosts } = workspace.ctx.config;
    calendar_hosts.splice(calendar_hosts.indexOf(radicale.host), 1);
    await sync();
    const read = await workspace.ada.reader.retrieveMailbox({ params: { id: mailbox_id } });
    expect(read.body.mailbox.sync.last_error).toMatchObject({ code: 'server_gone' });
    calendar_hosts.push(radicale.host);
    await sync();
    expect(await named('Later')).toBeDefined();
  });
});
