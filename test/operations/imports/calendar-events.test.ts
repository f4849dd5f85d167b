import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allEvents, givenCalendar, givenEvent, shareMailbox } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { givenUpload } from '../../support/files.ts';
import { calendarFile, eventOf, importEvents, vevent } from '../../support/ics.ts';
import { rowsOf } from '../../support/imports.ts';
import { longIt } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Imports of .ics files: what their events become. */
describe('an import of calendar events', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let calendar_id: string;
  let mailbox_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ada = workspace.ada;
    ({ calendar_id, mailbox_id } = await givenCalendar(workspace, ada));
  });
  afterAll(() => workspace?.stop());

  const run = (bytes: string, more: { dry_run?: boolean } = {}) =>
    importEvents(workspace, ada, { calendar_id, bytes, ...more });
  const runOne = (uid: string, ...lines: string[]) => run(calendarFile([vevent(uid, ...lines)]));
  /** The event that one VEVENT becomes. */
  const imported = async (...lines: string[]) => {
    const { rows } = await runOne(randomUUID(), ...lines);
    expect(rows).toMatchObject([{ status: 'created', error: null }]);
    return eventOf(ada, rows[0]?.record_id);
  };
  const failure = async (...lines: string[]) => {
    const { rows } = await runOne(randomUUID(), ...lines);
    return Object.keys(rows[0]?.error?.fields ?? {});
  };
  const occurrencesOf = async (id: string) =>
    (await allEvents(ada, { calendar_id, starts_after: '2026-01-01', starts_before: '2028-01-01' })).filter(
      (event) => event.recurring_event_id === id,
    );

  it('makes an event of each VEVENT, with what it says', async () => {
    const event = await imported(
      'DTSTART;TZID=W. Europe Standard Time:20261123T090000',
      'DTEND;TZID=W. Europe Standard Time:20261123T103000',
      'SUMMARY:Ferries\\, and\\nboats',
      'LOCATION:Pier 3\\; left',
      'DESCRIPTION:Two\\nlines & <three>',
      'CONFERENCE;VALUE=URI;FEATURE=PHONE:tel:+49',
      'URL:https://meet.example/1',
      'STATUS:TENTATIVE',
      'CLASS:PRIVATE',
      'ORGANIZER;CN=Guest:mailto:Guest@ferries.example',
      'ATTENDEE;PARTSTAT=ACCEPTED;ROLE=OPT-PARTICIPANT;CN="G, H":MAILTO:grace@acme.example',
      'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ada@acme.example',
      'ATTENDEE;CUTYPE=ROOM:urn:uuid:1',
      'ATTENDEE:mailto:grace@acme.example',
      'BEGIN:VALARM',
      'SUMMARY:Reminder',
      'END:VALARM',
    );
    expect(event).toMatchObject({
      ...{ calendar_id, mailbox_id, name: 'Ferries, and, boats', location: 'Pier 3; left' },
      ...{ starts_at: '2026-11-23T08:00:00.000Z', ends_at: '2026-11-23T09:30:00.000Z' },
      ...{ time_zone: 'Europe/Berlin', all_day: false, status: 'tentative', private: true },
      description: 'Two\nlines & <three>',
      conference_url: 'https://meet.example/1',
      organizer_email_address: 'guest@ferries.example',
    });
    expect(
      event.attendees.map((each) => [
        each.email_address,
        each.response_status,
        each.optional,
        each.organizer,
      ]),
    ).toEqual([
      ['guest@ferries.example', 'accepted', false, true],
      ['grace@acme.example', 'needs_action', false, false],
      ['ada@acme.example', 'needs_action', false, false],
    ]);
  });

  longIt('takes over whom a later version invites', async () => {
    const uid = randomUUID();
    const version = (sequence: number, ...guests: string[]) =>
      runOne(uid, `SEQUENCE:${sequence}`, ...guests.map((name) => `ATTENDEE:mailto:${name}@acme.example`));
    const { rows } = await version(0, 'ada', 'grace');
    await version(1, 'ada', 'linus', 'guest');
    const { attendees } = await eventOf(ada, rows[0]?.record_id);
    const names = attendees.map(({ email_address }) => email_address.split('@')[0]);
    expect(names).toEqual(['ada', 'linus', 'guest']);
  });

  longIt('keeps no answers of those whom a later version no longer invites', async () => {
    const uid = randomUUID();
    const guests = (version: number) =>
      Array.from({ length: 99 }, (_, i) => {
        const address = `${version}-${i}-`.padEnd(64, 'a').concat('@', 'b'.repeat(255));
        return `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${address}`;
      });
    const versions = Array.from({ length: 13 }, (_, i) => vevent(uid, `SEQUENCE:${i}`, ...guests(i)));
    const { rows } = await run(calendarFile(versions));
    expect(rows.map(({ status }) => status)).toEqual(['created', ...Array(12).fill('updated')]);
    const { attendees } = await eventOf(ada, rows[0]?.record_id);
    expect(attendees.filter(({ email_address }) => email_address.startsWith('12-'))).toHaveLength(99);
  });

  it.each([
    ['whole days', ['DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261227'], '2026-12-24', '2026-12-27'],
    ['a day without an end', ['DTSTART;VALUE=DATE:20261224'], '2026-12-24', '2026-12-25'],
    [
      'a day that ends on itself',
      ['DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261224'],
      '2026-12-24',
      '2026-12-25',
    ],
    ['two days as a duration', ['DTSTART;VALUE=DATE:20261224', 'DURATION:P2D'], '2026-12-24', '2026-12-26'],
  ])('reads %s', async (_, lines, starts_on, ends_on) => {
    expect(await imported(...lines)).toMatchObject({ all_day: true, starts_on, ends_on });
  });

  it.each([
    ['UTC', 'DTSTART:20260701T090000Z', '2026-07-01T09:00:00.000Z', null],
    [
      'a zone of IANA',
      'DTSTART;TZID=America/New_York:20260701T090000',
      '2026-07-01T13:00:00.000Z',
      'America/New_York',
    ],
    [
      'the end of a path',
      'DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20260701T090000',
      '2026-07-01T07:00:00.000Z',
      'Europe/Berlin',
    ],
    [
      'a time that clocks skip',
      'DTSTART;TZID=Europe/Berlin:20260329T023000',
      '2026-03-29T01:30:00.000Z',
      'Europe/Berlin',
    ],
    ['no zone: that of the user', 'DTSTART:20260701T090000', '2026-07-01T08:00:00.000Z', 'Europe/London'],
  ])('reads times of %s; without an end, a minute', async (_, line, starts_at, time_zone) => {
    const event = await imported(line);
    expect(event).toMatchObject({ starts_at, time_zone });
    expect(Date.parse(event.ends_at) - Date.parse(event.starts_at)).toBe(60_000);
  });

  longIt('finds the time zone of a VTIMEZONE by its rules', async () => {
    const rules = [
      'BEGIN:VTIMEZONE\r\nTZID:Customized\r\nBEGIN:STANDARD\r\nDTSTART:16010101T020000\r\nTZOFFSETFROM:-0500',
      'TZOFFSETTO:-0600\r\nRRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11\r\nEND:STANDARD\r\nBEGIN:DAYLIGHT',
      'DTSTART:16010101T020000\r\nTZOFFSETFROM:-0600\r\nTZOFFSETTO:-0500\r\nRRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3',
      'END:DAYLIGHT\r\nEND:VTIMEZONE\r\n',
    ].join('\r\n');
    const { rows } = await run(
      calendarFile([rules, vevent(randomUUID(), 'DTSTART;TZID=Customized:20260701T090000')]),
    );
    expect(await eventOf(ada, rows[0]?.record_id)).toMatchObject({
      ...{ time_zone: 'America/Chicago', starts_at: '2026-07-01T14:00:00.000Z' },
    });
    expect(await failure('DTSTART;TZID=Nowhere:20260701T090000')).toEqual(['time_zone']);
  });

  it('sanitizes HTML', async () => {
    const { description_html } = await imported(
      'DESCRIPTION:plain',
      'X-ALT-DESC;FMTTYPE=text/html:<p onclick="x()">a\\; b</p><script>1</script>',
    );
    expect(description_html).toBe('<p>a; b</p>');
  });

  longIt('makes a series, whose exceptions are its occurrences, in any order', async () => {
    const uid = randomUUID();
    const changed = vevent(
      uid,
      'RECURRENCE-ID;TZID=Europe/Berlin:20261130T090000',
      'DTSTART;TZID=Europe/Berlin:20261201T140000',
      'DTEND;TZID=Europe/Berlin:20261201T150000',
      'SUMMARY:Moved',
    );
    const off = vevent(
      uid,
      'RECURRENCE-ID:20261207T080000Z',
      'DTSTART:20261207T080000Z',
      'DTEND:20261207T090000Z',
      'STATUS:CANCELLED',
    );
    const series = vevent(
      uid,
      'DTSTART;TZID=Europe/Berlin:20261123T090000',
      'DURATION:PT1H',
      'RRULE:FREQ=WEEKLY;COUNT=5;BYDAY=MO',
      'EXDATE;TZID=Europe/Berlin:20261214T090000',
      'RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20261216T100000/PT2H',
    );
    // More than are stored together.
    const broken = Array.from({ length: 120 }, (_, i) => vevent(`${uid} ${i}`, 'DTSTART:soon'));
    const refused = vevent(uid, 'RECURRENCE-ID;RANGE=THISANDFUTURE:20261207T080000Z');
    const { import: done, rows } = await run(calendarFile([changed, refused, ...broken, series, off]));
    const created = rows.filter(({ status }) => status === 'created');
    expect(created.map(({ number }) => number)).toEqual([123, 1, 124]);
    expect((await rowsOf(ada, done.id, { limit: 50 })).map(({ number }) => number)).toEqual(
      rows.map(({ number }) => number),
    );
    const failed = await rowsOf(ada, done.id, { failed: 'true', limit: 60 });
    expect(failed.map(({ number }) => number)).toEqual([...broken.map((_, i) => i + 3), 2]);
    const master = await eventOf(ada, created[0]?.record_id);
    expect(master).toMatchObject({ ical_uid: uid, time_zone: 'Europe/Berlin', name: 'Ferry timetable' });
    const found = await occurrencesOf(master.id);
    expect(found.map(({ starts_at, name, status }) => [starts_at, name, status])).toEqual([
      ['2026-11-23T08:00:00.000Z', 'Ferry timetable', 'confirmed'],
      ['2026-12-01T13:00:00.000Z', 'Moved', 'confirmed'],
      ['2026-12-07T08:00:00.000Z', 'Ferry timetable', 'cancelled'],
      ['2026-12-16T09:00:00.000Z', 'Ferry timetable', 'confirmed'],
      ['2026-12-21T08:00:00.000Z', 'Ferry timetable', 'confirmed'],
    ]);
    expect(found[1]).toMatchObject({
      id: created[1]?.record_id,
      original_starts_at: '2026-11-30T08:00:00.000Z',
    });
  });

  it('makes an event of its own of an exception without its series', async () => {
    const event = await imported('RECURRENCE-ID:20261130T090000Z');
    expect(event).toMatchObject({ recurring_event_id: null, recurrence: null });
  });

  it.each([
    ['no rule of days', ['RRULE:FREQ=SECONDLY'], ['recurrence']],
    ['10^9 occurrences', ['RRULE:FREQ=DAILY;COUNT=1000000000'], ['recurrence']],
    ['no day', ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'], ['recurrence']],
    ['a rule that excludes', ['RRULE:FREQ=DAILY', 'EXRULE:FREQ=WEEKLY'], ['recurrence']],
    ['no date', ['DTSTART:2026'], ['starts_at']],
    ['an end before its start', ['DTSTART:20261123T090000Z', 'DTEND:20261123T080000Z'], ['ends_at']],
    ['a name that is too long', [`SUMMARY:${'x'.repeat(256)}`], ['name']],
    [
      'an occurrence and all after it',
      ['RECURRENCE-ID;RANGE=THISANDFUTURE:20261123T090000Z'],
      ['recurrence'],
    ],
  ])('refuses %s', async (_, lines, fields) => {
    expect(await failure(...lines)).toEqual(fields);
  });

  longIt('goes on after components that are broken or too large', async () => {
    const large = `DESCRIPTION:${'x'.repeat(300_000)}`;
    const photo = `ATTACH;ENCODING=BASE64;VALUE=BINARY:${'A'.repeat(75)}\r\n ${'A'.repeat(400_000)}`;
    const bytes = calendarFile([
      vevent('a-1'),
      'BEGIN:VEVENT\r\nUID:a-2\r\nSUMMARY:No end\r\n',
      vevent('a-3', large),
      'BEGIN:VTODO\r\nUID:todo\r\nEND:VTODO\r\n',
      vevent('a-4', photo),
      'BEGIN:VEVENT\r\nnothing\r\nEND:VEVENT\r\n',
      'BEGIN:VEVENT\r\nDTSTART:20261123T090000Z\r\nEND:VEVENT\r\n',
      vevent('a-5').replace('END:VEVENT', 'BEGIN:VALARM\r\nEND:VEVENT'),
      vevent('a-6'),
    ]);
    const { rows, import: done } = await run(bytes);
    expect(rows.map(({ status }) => status).join(' ')).toBe(
      'created failed failed created failed failed created created',
    );
    expect(done).toMatchObject({ format: 'ics', rows_read: 8, status: 'complete', columns: [] });
  });

  longIt('tries first, then makes nothing twice', async () => {
    const bytes = calendarFile(['b-1', 'b-2'].map((uid) => vevent(uid)));
    const tried = await run(bytes, { dry_run: true });
    expect(tried.rows.map(({ status, record_id }) => [status, record_id])).toEqual(
      [1, 2].map(() => ['created', null]),
    );
    const made = await run(bytes);
    const again = await run(bytes);
    expect(again.rows).toMatchObject(made.rows.map(({ record_id }) => ({ status: 'unchanged', record_id })));
    const other = await givenCalendar(workspace, ada);
    const there = await importEvents(workspace, ada, { calendar_id: other.calendar_id, bytes });
    expect(there.rows.map(({ status }) => status)).toEqual(['created', 'created']);
  });

  longIt('takes what is newer, and leaves what was changed here', async () => {
    const id = (await runOne('c-1', 'SUMMARY:One', 'SEQUENCE:1', 'LOCATION:A')).rows[0]?.record_id as string;
    await ada.api.updateCalendarEvent({
      params: { id },
      body: { calendar_event: { name: 'Mine' } } as never,
    });
    const steps = [
      ['SEQUENCE:0', 'B', 'unchanged', 'A'],
      ['SEQUENCE:1', 'B', 'unchanged', 'A'],
      ['SEQUENCE:1\r\nLAST-MODIFIED:20260101T000000Z', 'B', 'updated', 'B'],
      ['SEQUENCE:2', 'C', 'updated', 'C'],
    ];
    for (const [version, location, status, now] of steps) {
      const { rows } = await runOne('c-1', 'SUMMARY:Two', `LOCATION:${location}`, `${version}`);
      expect(rows).toMatchObject([{ status, record_id: id }]);
      expect(await eventOf(ada, id)).toMatchObject({ name: 'Mine', location: now });
    }
  });

  longIt('takes newer exceptions, and leaves deleted occurrences', async () => {
    const series = (...more: string[]) =>
      vevent('d-1', 'DTSTART:20261123T090000Z', 'RRULE:FREQ=DAILY;COUNT=3', ...more);
    const exception = (...more: string[]) =>
      vevent('d-1', 'RECURRENCE-ID:20261124T090000Z', 'DTSTART:20261124T100000Z', ...more);
    const first = await run(calendarFile([series(), exception('SUMMARY:One')]));
    const [master = '', own = ''] = first.rows.map(({ record_id }) => `${record_id}`);
    await ada.api.updateCalendarEvent({
      params: { id: own },
      body: { calendar_event: { location: 'Here' } } as never,
    });
    const second = await run(calendarFile([exception('SUMMARY:Two', 'LOCATION:There', 'SEQUENCE:1')]));
    expect(second.rows).toMatchObject([{ status: 'updated', record_id: own }]);
    expect(await eventOf(ada, own)).toMatchObject({ name: 'Two', location: 'Here' });
    await ada.api.deleteCalendarEvent({ params: { id: `${own}` }, query: { scope: 'this' } } as never);
    const third = await run(calendarFile([exception('SUMMARY:Three', 'SEQUENCE:2')]));
    expect(third.rows).toMatchObject([{ status: 'unchanged', record_id: null }]);
    expect(await occurrencesOf(`${master}`)).toHaveLength(2);
  });

  longIt('METHOD:CANCEL calls off what there is, and makes nothing', async () => {
    const made = await runOne('e-1');
    const cancel = (uid: string) =>
      run(calendarFile([`BEGIN:VEVENT\r\nUID:${uid}\r\nSEQUENCE:1\r\nEND:VEVENT\r\n`], 'METHOD:CANCEL'));
    expect((await cancel('e-1')).rows).toMatchObject([
      { status: 'updated', record_id: made.rows[0]?.record_id },
    ]);
    expect(await eventOf(ada, made.rows[0]?.record_id)).toMatchObject({
      status: 'cancelled',
      name: 'Ferry timetable',
    });
    expect((await cancel('e-2')).rows).toMatchObject([{ status: 'unchanged', record_id: null }]);
  });

  it('leaves events that were made here as they are', async () => {
    const { id } = await givenEvent(ada, calendar_id, { name: 'Own' });
    const { rows } = await runOne(id, 'SUMMARY:File', 'SEQUENCE:9');
    expect(rows).toMatchObject([{ status: 'unchanged', record_id: id }]);
  });

  longIt('needs a calendar in which its user creates events, then and when it runs', async () => {
    const { grace, hank } = workspace;
    const bytes = calendarFile([vevent('f-1', 'CLASS:PRIVATE'), vevent('f-2')]);
    const start = async (user: TestUser, more: object) => {
      const { id } = await givenUpload(user, { name: 'a.ics', bytes });
      return codeOf(user.api.createImport({ body: { import: { upload_id: id, ...more } as never } }));
    };
    const events = { record_type: 'calendar_events' };
    expect(await start(ada, events)).toBe('400 invalid_request');
    expect(await start(ada, { record_type: 'contacts', calendar_id })).toBe('400 invalid_request');
    expect(await start(ada, { record_type: 'contacts' })).toBe('422 file_unreadable');
    expect(await start(ada, { ...events, calendar_id, format: 'csv' })).toBe('422 file_unreadable');
    for (const user of [grace, hank])
      expect(await start(user, { ...events, calendar_id })).toBe('404 record_not_found');
    await shareMailbox(ada, mailbox_id, grace, 'edit');
    const { rows } = await importEvents(workspace, grace, { calendar_id, bytes });
    expect(rows).toMatchObject([
      { status: 'failed', error: { code: 'permission_denied' } },
      { status: 'created' },
    ]);
  });
});
