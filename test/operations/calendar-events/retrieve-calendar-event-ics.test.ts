import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allEvents, givenCalendar, givenEvent, shareMailbox } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /calendar_events/{calendar_event_id}/ics', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let calendar_id: string;
  let mailbox_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace } = workspace);
    ({ calendar_id, mailbox_id } = await givenCalendar(workspace, ada));
    await shareMailbox(ada, mailbox_id, grace);
  });
  afterAll(() => workspace?.stop());

  const fileOf = async (id: string, user = ada) =>
    user.reader.retrieveCalendarEventIcs({ params: { calendar_event_id: id } });
  const unfold = (text: string) => text.replace(/\r\n[ \t]/g, '').split('\r\n');

  it('has the event, in lines of 75 bytes, under its name', async () => {
    const { id } = await givenEvent(ada, calendar_id, {
      name: 'Fähre / 渡し船',
      description_html: `<p>${'Zoë; '.repeat(40)}</p>`,
      location: 'Pier, 3',
      conference_url: 'https://meet.example/1',
      time_zone: 'Europe/Berlin',
      attendees: [{ email_address: 'grace@acme.example', optional: true }],
    });
    const { body, headers } = await fileOf(id);
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(headers.get('content-disposition')).toContain(
      "filename*=UTF-8''F%C3%A4hre%20-%20%E6%B8%A1%E3%81%97%E8%88%B9.ics",
    );
    const text = `${body}`;
    expect(Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
    const lines = unfold(text);
    expect(lines.slice(0, 5)).toEqual([
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Workspace API//EN', 'CALSCALE:GREGORIAN'],
      'BEGIN:VTIMEZONE',
    ]);
    expect(lines).toEqual(
      expect.arrayContaining([
        `UID:${id}`,
        'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
        'DTSTART:19700329T020000',
        'DTSTART;TZID=Europe/Berlin:20261123T100000',
        'DTEND;TZID=Europe/Berlin:20261123T110000',
        'SUMMARY:Fähre / 渡し船',
        'LOCATION:Pier\\, 3',
        'CONFERENCE;FEATURE=VIDEO;VALUE=URI:https://meet.example/1',
        'STATUS:CONFIRMED',
        'ORGANIZER;CN=Ada Lovelace:mailto:ada@acme.example',
        'ATTENDEE;CN=Grace Hopper;ROLE=OPT-PARTICIPANT;PARTSTAT=NEEDS-ACTION:mailto:grace@acme.example',
      ]),
    );
    expect(lines.slice(-3)).toEqual(['END:VEVENT', 'END:VCALENDAR', '']);
  });

  it('has of a private event only when it is, for others', async () => {
    const { id } = await givenEvent(ada, calendar_id, { name: 'Secret', location: 'Hidden', private: true });
    const { body, headers } = await fileOf(id, grace);
    expect(`${body}`).not.toMatch(/Secret|Hidden|mailto/);
    expect(unfold(`${body}`)).toEqual(
      expect.arrayContaining(['SUMMARY:Busy', 'CLASS:PRIVATE', 'DTSTART:20261123T090000Z']),
    );
    expect(headers.get('content-disposition')).toBe('attachment; filename=event.ics');
    expect(`${(await fileOf(id)).body}`).toContain('SUMMARY:Secret');
  });

  it('404: of hidden events and calendars', async () => {
    const { id } = await givenEvent(ada, calendar_id);
    for (const user of [workspace.linus, workspace.hank]) {
      expect(await codeOf(fileOf(id, user))).toBe('404 record_not_found');
      expect(await codeOf(user.reader.retrieveCalendarIcs({ params: { calendar_id } }))).toBe(
        '404 record_not_found',
      );
    }
  });

  it('has an occurrence as one of its series', async () => {
    const series = await givenEvent(ada, calendar_id, {
      time_zone: 'America/New_York',
      recurrence: ['FREQ=DAILY;COUNT=3'],
    });
    const [, second] = (await allEvents(ada, { calendar_id, starts_after: '2026-11-01' })).filter(
      ({ recurring_event_id }) => recurring_event_id === series.id,
    );
    expect(unfold(`${(await fileOf(`${second?.id}`)).body}`)).toEqual(
      expect.arrayContaining([
        `UID:${series.ical_uid}`,
        'RECURRENCE-ID;TZID=America/New_York:20261124T040000',
        'DTSTART;TZID=America/New_York:20261124T040000',
      ]),
    );
  });
});
