import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredCalendar } from '#shared/domain/calendar/calendars/calendar.ts';
import { keys } from '#shared/table/keys.ts';
import { givenCalendar, givenEvent, postEvent, shareMailbox } from '../../support/events.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { givenContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /calendar_events', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  let own: { mailbox_id: string; calendar_id: string };
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus } = workspace);
    own = await givenCalendar(workspace, ada);
  });
  afterAll(() => workspace.stop());

  const create = (fields: object, user = ada) => givenEvent(user, own.calendar_id, fields);
  const send = (calendar_event: object) => ada.api.createCalendarEvent({ body: { calendar_event } as never });
  const read = async (id: string, user: TestUser) =>
    (await user.reader.retrieveCalendarEvent({ params: { id } })).body.calendar_event;

  it('201: what was sent, of the owner of the calendar, with the organizer among the attendees', async () => {
    const contact = await givenContact(ada, {
      name: 'Hopper',
      email_addresses: [{ email_address: 'guest@ferries.example' }],
    });
    const event = await create({
      name: ' Ferry timetable ',
      description_html: '<p onclick="x()">Before <b>noon</b></p><script>1</script>',
      location: 'Pier 3',
      conference_url: 'https://meet.example/1',
      starts_at: '2026-11-23T10:00:00+01:00',
      ends_at: '2026-11-23T11:00:00+01:00',
      attendees: [
        { email_address: ' Grace@Acme.example ', optional: true },
        { email_address: 'guest@ferries.example' },
      ],
    });
    const person = { comment: null, optional: false, organizer: false, contact: null };
    expect(event).toMatchObject({
      ...own,
      user_id: ada.user.id,
      name: 'Ferry timetable',
      description: 'Before noon',
      description_html: '<p>Before <b>noon</b></p>',
      location: 'Pier 3',
      conference_url: 'https://meet.example/1',
      starts_at: '2026-11-23T09:00:00.000Z',
      ends_at: '2026-11-23T10:00:00.000Z',
      all_day: false,
      starts_on: null,
      ends_on: null,
      time_zone: null,
      status: 'confirmed',
      private: false,
      organizer_email_address: 'ada@acme.example',
      attendees: [
        {
          ...person,
          ...{ email_address: 'ada@acme.example', display_name: 'Ada Lovelace', user_id: ada.user.id },
          ...{ response_status: 'accepted', organizer: true },
        },
        {
          ...person,
          ...{ email_address: 'grace@acme.example', display_name: 'Grace Hopper', user_id: grace.user.id },
          ...{ response_status: 'needs_action', optional: true },
        },
        {
          ...person,
          ...{ email_address: 'guest@ferries.example', display_name: null, user_id: null },
          ...{ response_status: 'needs_action', contact: { id: contact.id, name: 'Hopper' } },
        },
      ],
      response_status: 'accepted',
      recurrence: null,
      recurring_event_id: null,
      original_starts_at: null,
      ical_uid: event.id,
      has_transcript: false,
      brief: null,
      tags: [],
      shares: [],
      comments: [],
      tasks: [],
      updated_at: null,
    });
    expect(await read(event.id, ada)).toEqual(event);
  });

  it('201: whole days, as days or as their midnights, in the time zone', async () => {
    const days = { starts_at: undefined, ends_at: undefined, starts_on: '2026-03-28', ends_on: '2026-03-30' };
    const times = { starts_at: '2026-03-28T00:00:00.000Z', ends_at: '2026-03-29T23:00:00.000Z' };
    const expected = {
      ...times,
      all_day: true,
      starts_on: '2026-03-28',
      ends_on: '2026-03-30',
      time_zone: 'Europe/London',
    };
    expect(await create(days)).toMatchObject(expected);
    expect(await create({ ...times, all_day: true })).toMatchObject(expected);
    expect(await create({ ...days, time_zone: 'Asia/Tokyo' })).toMatchObject({
      ...{
        starts_at: '2026-03-27T15:00:00.000Z',
        ends_at: '2026-03-29T15:00:00.000Z',
        time_zone: 'Asia/Tokyo',
      },
    });
  });

  it('201: a day that begins after midnight, where clocks skip it', async () => {
    const days = { starts_on: '2024-09-08', ends_on: '2024-09-09', time_zone: 'America/Santiago' };
    const event = await create({ ...days, starts_at: undefined, ends_at: undefined });
    expect([event.starts_at, event.ends_at]).toEqual([
      '2024-09-08T04:00:00.000Z',
      '2024-09-09T03:00:00.000Z',
    ]);
  });

  it('201: a series, with the names of its lines', async () => {
    const event = await create({
      time_zone: 'Europe/London',
      recurrence: ['freq=weekly;byday=mo', 'EXDATE:20261130T090000Z', 'rdate;VALUE=DATE:20261201'],
    });
    expect(event).toMatchObject({
      recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO', 'EXDATE:20261130T090000Z', 'RDATE;VALUE=DATE:20261201'],
      recurring_event_id: null,
    });
  });

  it('201: by who may edit in the mailbox, as the organizer', async () => {
    const { mailbox_id, calendar_id } = await givenCalendar(workspace, ada);
    await shareMailbox(ada, mailbox_id, grace, 'edit');
    await shareMailbox(ada, mailbox_id, linus);
    const event = await givenEvent(grace, calendar_id);
    expect(event).toMatchObject({ user_id: ada.user.id, organizer_email_address: 'grace@acme.example' });
    expect(await codeOf(postEvent(linus, calendar_id))).toBe('403 permission_denied');
    const { api } = grace;
    const change = (id: string) =>
      api.updateCalendarEvent({ params: { id }, body: { calendar_event: { name: 'Ferries' } } as never });
    expect((await change(event.id)).body.calendar_event.name).toBe('Ferries');
    const others = await givenEvent(ada, calendar_id);
    expect(await codeOf(change(others.id))).toBe('403 permission_denied');
  });

  it('404: a calendar of nobody, of another user, of another account', async () => {
    const hidden = await givenCalendar(workspace, grace);
    const foreign = await givenCalendar(workspace, workspace.hank);
    for (const id of [randomUUID(), hidden.calendar_id, foreign.calendar_id])
      expect(await codeOf(postEvent(ada, id))).toBe('404 record_not_found');
  });

  it('422: a calendar that is read-only', async () => {
    const { calendar_id } = await givenCalendar(workspace, ada);
    const stored: StoredCalendar = { ...keys.calendar(workspace.account_id, calendar_id), read_only: true };
    await workspace.table.put(stored);
    expect(await codeOf(postEvent(ada, calendar_id))).toBe('422 calendar_read_only');
  });

  it('400: more than an event has room for', async () => {
    const spaces = '\u3000'.repeat(950);
    const guests = Array.from({ length: 100 }, (_, i) => `${i}`.padEnd(64, 'a').concat('@', 'b'.repeat(255)));
    const sent = postEvent(ada, own.calendar_id, {
      ...{ time_zone: 'Europe/London', description_html: '&'.repeat(20_000) },
      attendees: guests.map((email_address) => ({ email_address })),
      recurrence: ['RRULE:FREQ=DAILY', ...Array(99).fill(`EXDATE:20261124T090000,${spaces}20261125T090000`)],
    });
    expect(await problemsOf(sent)).toEqual({ recurrence: 'too_long' });
  });

  it('400: an empty event', async () => {
    expect(await problemsOf(send({}))).toEqual({
      calendar_id: 'required',
      name: 'required',
      starts_at: 'required',
      ends_at: 'required',
    });
  });

  const day = { starts_at: undefined, ends_at: undefined };
  const series = { time_zone: 'Europe/London' };
  const rule = (text: string) => ({ ...series, recurrence: [text] });
  it.each([
    ['without a name', { name: undefined }, { name: 'required' }],
    ['without a calendar', { calendar_id: undefined }, { calendar_id: 'required' }],
    ['without times', day, { starts_at: 'required', ends_at: 'required' }],
    ['that ends when it starts', { ends_at: '2026-11-23T09:00:00Z' }, { ends_at: 'invalid' }],
    ['that ends before it starts', { ends_at: '2026-11-22T09:00:00Z' }, { ends_at: 'invalid' }],
    ['of whole days, not at midnight', { all_day: true }, { starts_at: 'invalid', ends_at: 'invalid' }],
    ['of no days', { ...day, starts_on: '2026-11-23', ends_on: '2026-11-23' }, { ends_on: 'invalid' }],
    [
      'of a day that is none',
      { ...day, starts_on: '2026-02-30', ends_on: '2026-03-01' },
      { starts_on: 'invalid_format' },
    ],
    [
      'before the year 1',
      { ...day, starts_on: '0001-01-01', ends_on: '0001-01-02', time_zone: 'Asia/Tokyo' },
      { starts_on: 'invalid_format' },
    ],
    ['of days, but timed', { all_day: false, starts_on: '2026-11-23' }, { starts_on: 'invalid' }],
    ['in no time zone', { time_zone: 'Mars/Olympus' }, { time_zone: 'invalid_format' }],
    ['in an offset', { time_zone: '+01:00' }, { time_zone: 'invalid_format' }],
    [
      'with a script as its conference',
      { conference_url: 'javascript:alert(1)' },
      { conference_url: 'invalid_format' },
    ],
    [
      'with no address',
      { attendees: [{ email_address: 'ada' }] },
      { 'attendees.0.email_address': 'invalid_format' },
    ],
    [
      'with an address twice',
      { attendees: [{ email_address: 'a@b.example' }, { email_address: 'A@b.example' }] },
      { 'attendees.1.email_address': 'invalid' },
    ],
    [
      'with many attendees',
      { attendees: Array.from({ length: 101 }, (_, i) => ({ email_address: `a${i}@b.example` })) },
      { attendees: 'too_long' },
    ],
    ['null attendees', { attendees: null }, { attendees: 'invalid' }],
    ['a long name', { name: 'a'.repeat(256) }, { name: 'too_long' }],
    ['a series without a time zone', { recurrence: ['FREQ=DAILY'] }, { time_zone: 'required' }],
    ['each second', rule('FREQ=SECONDLY'), { recurrence: 'invalid' }],
    ['each hour of a day', rule('FREQ=DAILY;BYHOUR=1,2,3'), { recurrence: 'invalid' }],
    ['on 30 February', rule('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'), { recurrence: 'invalid' }],
    ['10 000 times', rule('FREQ=DAILY;COUNT=10000'), { recurrence: 'invalid' }],
    ['by two rules', { ...series, recurrence: ['FREQ=DAILY', 'FREQ=WEEKLY'] }, { recurrence: 'invalid' }],
    ['by no rule', rule('EXDATE:20261123T090000Z'), { recurrence: 'invalid' }],
    ['by half a rule', rule('RRULE:INTERVAL=2'), { recurrence: 'invalid' }],
    ['by a part twice', rule('FREQ=DAILY;FREQ=DAILY'), { recurrence: 'invalid' }],
    ['until and counted', rule('FREQ=DAILY;COUNT=2;UNTIL=20261201'), { recurrence: 'invalid' }],
    ['by words', rule('every Monday'), { recurrence: 'invalid' }],
    [
      'except on no day',
      { ...series, recurrence: ['FREQ=DAILY', 'EXDATE:20260230'] },
      { recurrence: 'invalid' },
    ],
    [
      'in a zone of Mars',
      { ...series, recurrence: ['FREQ=DAILY', 'EXDATE;TZID=Mars:20260228T000000'] },
      { recurrence: 'invalid' },
    ],
    ['as a prototype', rule('FREQ=DAILY;__proto__=1'), { recurrence: 'invalid' }],
    ['of years', { ...rule('FREQ=DAILY'), ends_at: '2029-01-01T00:00:00Z' }, { ends_at: 'invalid' }],
    ['with an id', { id: randomUUID() }, { id: 'not_allowed' }],
    ['with a status', { status: 'cancelled' }, { status: 'not_allowed' }],
  ])('400: %s', async (_, fields, problems) => {
    expect(await problemsOf(postEvent(ada, own.calendar_id, fields))).toEqual(problems);
  });
});
