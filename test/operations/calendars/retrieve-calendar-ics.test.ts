import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOfEvents } from '#shared/domain/exchange/calendars/pages.ts';
import { callerOf } from '../../support/callers.ts';
import { Dice } from '../../support/dice.ts';
import { allEvents, givenCalendar, givenEvent } from '../../support/events.ts';
import { exportFile } from '../../support/exports.ts';
import { codeOf } from '../../support/failures.ts';
import { calendarFile, importEvents } from '../../support/ics.ts';
import { longIt, reduced } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Files of calendars, at once and as exports: an import reads back what was written. */
describe('GET /calendars/{calendar_id}/ics', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let calendar_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada, grace } = workspace);
    ({ calendar_id } = await givenCalendar(workspace, ada));
  });
  afterAll(() => workspace?.stop());

  /** What is the same in every calendar. */
  const same = (event: Awaited<ReturnType<typeof allEvents>>[number]) => {
    const { name, location, description, description_html, conference_url, status, attendees } = event;
    const { starts_at, ends_at, all_day, starts_on, ends_on, time_zone, original_starts_at } = event;
    return {
      ...{ name, location, description, description_html, conference_url, status, private: event.private },
      ...{ starts_at, ends_at, all_day, starts_on, ends_on, original_starts_at },
      time_zone: time_zone === 'UTC' || all_day ? null : time_zone,
      ical_uid: event.ical_uid,
      organizer: event.organizer_email_address,
      attendees: attendees.map(({ email_address, optional, response_status }) => [
        email_address,
        optional,
        response_status,
      ]),
    };
  };

  /** Ids order events that begin together. */
  const inOrder = (events: Awaited<ReturnType<typeof allEvents>>) =>
    events.map(same).sort((a, b) => (a.starts_at + a.ical_uid < b.starts_at + b.ical_uid ? -1 : 1));

  longIt('is read back as it was: single events, series, exceptions, deleted occurrences', async () => {
    const from = await givenCalendar(workspace, ada);
    const berlin = { time_zone: 'Europe/Berlin' };
    const given = (fields: object) => givenEvent(ada, from.calendar_id, fields);
    await given({
      name: 'Single',
      description_html: '<p>a, b; c\\d</p><ul><li>x</li></ul>',
      location: 'A\\B; C',
    });
    await given({
      name: 'Days',
      starts_at: undefined,
      ends_at: undefined,
      starts_on: '2026-12-24',
      ends_on: '2026-12-27',
    });
    await given({ name: 'Private', private: true, ...berlin });
    const whole = {
      starts_at: undefined,
      ends_at: undefined,
      starts_on: '2026-11-23',
      ends_on: '2026-11-24',
    };
    await given({
      ...{ name: 'Whole days', ...whole, time_zone: 'Europe/London' },
      recurrence: ['RRULE:FREQ=WEEKLY;UNTIL=20270101', 'EXDATE:20261130', 'RDATE:20261202'],
    });
    const series = await given({
      ...{ name: 'Series', ...berlin, attendees: [{ email_address: 'grace@acme.example' }] },
      recurrence: [
        'FREQ=DAILY;INTERVAL=2;UNTIL=20270410',
        'EXDATE:20261127,20261201T100000',
        'EXDATE:20261203T090000Z',
        'RDATE;TZID=America/New_York:20261204T120000',
      ],
    });
    const listed = async (calendar: string) =>
      allEvents(ada, {
        calendar_id: calendar,
        starts_after: '2026-11-01',
        starts_before: '2028-01-01',
        limit: 250,
      });
    const occurrences = (await listed(from.calendar_id)).filter(
      (each) => each.recurring_event_id === series.id,
    );
    const [, second, third] = occurrences;
    await ada.api.updateCalendarEvent({
      params: { id: `${second?.id}` },
      body: {
        calendar_event: { name: 'Moved', starts_at: '2026-11-26T12:00:00Z', ends_at: '2026-11-26T12:30:00Z' },
      },
    } as never);
    await ada.api.deleteCalendarEvent({ params: { id: `${third?.id}` }, query: {} } as never);
    await grace.api.respondToCalendarEvent({
      params: { calendar_event_id: series.id },
      body: { response: 'tentative' },
    } as never);
    await grace.api.respondToCalendarEvent({
      params: { calendar_event_id: `${occurrences[4]?.id}` },
      body: { response: 'declined' },
    } as never);
    const wanted = inOrder(await listed(from.calendar_id));
    expect(wanted.length).toBeGreaterThan(60);

    const file = (await ada.reader.retrieveCalendarIcs({ params: { calendar_id: from.calendar_id } })).body;
    const exported = await exportFile(workspace, ada, {
      ...{ record_type: 'calendar_events', format: 'ics', filters: { calendar_id: from.calendar_id } },
    });
    expect(exported.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(exported.export).toMatchObject({ records_written: 7, status: 'complete' });
    for (const bytes of [`${file}`, exported.text]) {
      const to = await givenCalendar(workspace, ada);
      const { import: done } = await importEvents(workspace, ada, { calendar_id: to.calendar_id, bytes });
      expect(done).toMatchObject({ rows_failed: 0, rows_created: 7 });
      expect(inOrder(await listed(to.calendar_id))).toEqual(wanted);
    }
    expect(exported.text.match(/TZID:Europe\/Berlin/g)).toHaveLength(1);
  });

  const texts = [
    '',
    'a, b; c',
    'C:\\n',
    'Zoë 😀',
    ' "quoted" ',
    'x'.repeat(200),
    'BEGIN:VEVENT',
    "it's; \\, so",
  ];
  const rules = [
    ...['FREQ=DAILY;COUNT=4', 'FREQ=WEEKLY;BYDAY=MO,WE,FR;UNTIL=20261220', 'FREQ=MONTHLY;BYDAY=-1FR;COUNT=5'],
    ...['FREQ=YEARLY;COUNT=2', 'FREQ=DAILY;INTERVAL=3;UNTIL=20270101T120000', 'FREQ=MONTHLY;BYMONTHDAY=31'],
  ];
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
    'Europe/Dublin',
  ];

  /** In the second of the two hours that a clock shows alike when it is set back. */
  function isRepeated(moment: number, zone: string): boolean {
    const zoned = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone);
    return !zoned.toPlainDateTime().toZonedDateTime(zone).equals(zoned);
  }

  /** An event as a request sends it. */
  function drawn(dice: Dice): object {
    const day = `2026-${dice.pick(['03-29', '10-25', '11-01', '12-31'])}`;
    const repeats = dice.chance(50);
    const zone = dice.pick(zones);
    const text = () => dice.pick(texts).trim() || null;
    const length = dice.int(1, 3 * 24 * 60) * 60_000;
    const starts = Date.parse(`${day}T00:00:00Z`) + dice.int(0, 1_439) * 60_000;
    // A file has no local time for the second hour of two, with which a series could begin.
    if (isRepeated(starts, zone)) return drawn(dice);
    const at = {
      starts_at: new Date(starts).toISOString(),
      ends_at: new Date(starts + length).toISOString(),
    };
    const days = { starts_at: undefined, ends_at: undefined, starts_on: day, ends_on: '2027-01-02' };
    const timed = { ...at, time_zone: repeats || dice.chance(50) ? zone : null };
    return {
      ...(dice.chance(25) ? days : timed),
      ...{ name: text() ?? 'Name', location: text(), description_html: text(), private: dice.chance(20) },
      conference_url: dice.chance(30) ? 'https://meet.example/a?b=c,d;e' : null,
      attendees: dice.some(['grace@acme.example', 'x@y.example']).map((email_address) => ({
        ...{ email_address, optional: dice.chance(50) },
      })),
      ...(repeats
        ? { recurrence: [dice.pick(rules), ...dice.some(['EXDATE:20261226', 'RDATE:20270105'])] }
        : {}),
    };
  }

  longIt('is read back as it was, whatever it has', async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 1e9);
    const dice = new Dice(seed);
    const from = await givenCalendar(workspace, ada);
    const to = await givenCalendar(workspace, ada);
    const rows = reduced(80);
    for (let i = 0; i < rows; i++) await givenEvent(ada, from.calendar_id, drawn(dice));
    const bytes = `${(await ada.reader.retrieveCalendarIcs({ params: { calendar_id: from.calendar_id } })).body}`;
    const { import: done } = await importEvents(workspace, ada, { calendar_id: to.calendar_id, bytes });
    expect(done).toMatchObject({ rows_failed: 0, rows_created: rows });
    const [wanted, found] = await Promise.all(
      [from, to].map(async ({ calendar_id: id }) =>
        inOrder(await allEvents(ada, { calendar_id: id, starts_after: '2026-01-01', limit: 250 })),
      ),
    );
    expect(found, `seed ${seed}`).toEqual(wanted);
  });

  it('a time in the second of two equal hours stays what it is, in UTC', async () => {
    const [from, to] = [await givenCalendar(workspace, ada), await givenCalendar(workspace, ada)];
    const times = { starts_at: '2026-10-25T00:30:00.000Z', ends_at: '2026-10-25T01:30:00.000Z' };
    await givenEvent(ada, from.calendar_id, { ...times, time_zone: 'Europe/Berlin' });
    const { body } = await ada.reader.retrieveCalendarIcs({ params: { calendar_id: from.calendar_id } });
    expect(`${body}`).toContain('DTSTART;TZID=Europe/Berlin:20261025T023000\r\nDTEND:20261025T013000Z');
    await importEvents(workspace, ada, { calendar_id: to.calendar_id, bytes: `${body}` });
    const window = { calendar_id: to.calendar_id, starts_after: '2026-10-01', starts_before: '2026-11-01' };
    expect(await allEvents(ada, window)).toMatchObject([{ ...times, time_zone: 'Europe/Berlin' }]);
  });

  longIt(
    'an exception that is deleted after its page was read is not back at the time of its series',
    async () => {
      const [from, to] = [await givenCalendar(workspace, ada), await givenCalendar(workspace, ada)];
      await givenEvent(ada, from.calendar_id, { time_zone: 'UTC', recurrence: ['FREQ=DAILY;COUNT=3'] });
      const listed = (id: string) => allEvents(ada, { calendar_id: id, starts_after: '2026-11-01' });
      const params = { id: `${(await listed(from.calendar_id))[1]?.id}` };
      const moved = { starts_at: '2026-11-24T15:00:00Z', ends_at: '2026-11-24T16:00:00Z' };
      await ada.api.updateCalendarEvent({ params, body: { calendar_event: { name: 'Moved', ...moved } } });
      const ctx = { ...workspace.ctx, caller: await callerOf(workspace.table, ada.user) };
      const page = (after?: string) => pageOfEvents(ctx, from, { limit: 100, after });
      const first = await page();
      await ada.api.deleteCalendarEvent({ params, query: {} });
      const last = await page(`${first.next}`);
      expect(last.next).toBeNull();
      const bytes = calendarFile([...first.events, ...last.events].map(({ text }) => text));
      await importEvents(workspace, ada, { calendar_id: to.calendar_id, bytes });
      const shown = (await listed(to.calendar_id)).map(({ starts_at, name }) => `${starts_at} ${name}`);
      expect(shown).toEqual([
        '2026-11-23T09:00:00.000Z Ferry timetable',
        '2026-11-24T15:00:00.000Z Moved',
        '2026-11-25T09:00:00.000Z Ferry timetable',
      ]);
    },
  );

  it('400: exports of events in other formats, and with other filters', async () => {
    const start = (draft: object) => codeOf(ada.api.createExport({ body: { export: draft as never } }));
    const events = { record_type: 'calendar_events', format: 'ics' };
    expect(await start({ ...events, format: 'csv' })).toBe('400 invalid_request');
    expect(await start({ record_type: 'contacts', format: 'ics' })).toBe('400 invalid_request');
    expect(await start({ ...events, filters: { slice: 'today' } })).toBe('400 invalid_request');
    const hidden = { ...events, filters: { calendar_id } };
    expect(await codeOf(workspace.linus.api.createExport({ body: { export: hidden as never } }))).toBe(
      '404 record_not_found',
    );
  });
});
