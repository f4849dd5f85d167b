import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CaldavServer } from '../../support/caldav-server.ts';
import { givenSynced } from '../../support/calendar-sync.ts';
import { allEvents, givenCalendar, givenEvent } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { calendarFile, eventOf, importEvents, vevent } from '../../support/ics.ts';
import { longIt } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** One meeting in several calendars of an account. */
describe('one meeting in two calendars', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  const calendars = new Map<TestUser, string>();
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada, grace, linus } = workspace);
    for (const user of [ada, grace, linus])
      calendars.set(user, (await givenCalendar(workspace, user)).calendar_id);
  });
  afterAll(() => workspace?.stop());

  const invited = ['ada', 'grace', 'linus'].map((name) => `ATTENDEE:mailto:${name}@acme.example`);
  const meeting = (uid: string, ...lines: string[]) =>
    vevent(uid, `SUMMARY:${uid}`, 'ORGANIZER:mailto:ada@acme.example', ...invited, ...lines);
  const imports = async (user: TestUser, ...components: string[]) => {
    const calendar_id = `${calendars.get(user)}`;
    const { rows } = await importEvents(workspace, user, { calendar_id, bytes: calendarFile(components) });
    return `${rows[0]?.record_id}`;
  };
  const listed = async (user: TestUser, name: string, query: object = {}) =>
    (await allEvents(user, { starts_after: '2026-11-01', starts_before: '2027-06-01', limit: 1, ...query }))
      .filter((event) => event.name === name)
      .map(({ id, recurring_event_id }) => recurring_event_id ?? id);

  longIt(
    'is listed once: in the own calendar, else as it was there first; each copy by its calendar',
    async () => {
      const hers = await imports(grace, meeting('once'));
      const own = await imports(ada, meeting('once'));
      expect(await listed(ada, 'once')).toEqual([own]);
      expect(await listed(grace, 'once')).toEqual([hers]);
      expect(await listed(grace, 'once', { participant: 'linus@acme.example' })).toEqual([hers]);
      expect(await listed(grace, 'once', { calendar_id: calendars.get(grace) })).toEqual([hers]);
      const third = await imports(linus, meeting('once'));
      expect(await listed(linus, 'once')).toEqual([third]);
      for (const id of [hers, own, third]) expect(await eventOf(linus, id)).toMatchObject({ id });
      await linus.api.deleteCalendarEvent({ params: { id: third }, query: {} } as never);
      expect(await listed(ada, 'once')).toEqual([own]);
    },
  );

  longIt('is listed once for an attendee who has no copy, and again when the first one is gone', async () => {
    const guests = ['ATTENDEE:mailto:linus@acme.example', 'ATTENDEE:mailto:grace@acme.example'];
    const outside = vevent('guest', 'SUMMARY:guest', 'ORGANIZER:mailto:g@ferries.example', ...guests);
    const first = await imports(ada, outside);
    const second = await imports(grace, outside);
    expect(await listed(linus, 'guest')).toEqual([first]);
    await ada.api.deleteCalendarEvent({ params: { id: first }, query: {} } as never);
    expect(await listed(linus, 'guest')).toEqual([second]);
    expect(await listed(grace, 'guest')).toEqual([second]);
  });

  longIt('is the copy at the server of the caller', async () => {
    const hers = await imports(grace, meeting('served'));
    const server = await new CaldavServer().start();
    try {
      server.write(`${server.calendar('Work')}served.ics`, calendarFile([meeting('served')]));
      await givenSynced(workspace, ada, server);
      const [own, ...others] = await listed(ada, 'served');
      expect(others).toEqual([]);
      expect(own).not.toBe(hers);
      expect(await listed(grace, 'served')).toEqual([hers]);
    } finally {
      await server.stop();
    }
  });

  longIt('stays one when a copy that was the first ends, after another one took its place', async () => {
    const guest = 'ATTENDEE:mailto:linus@acme.example';
    const outside = vevent('moved', 'SUMMARY:moved', 'ORGANIZER:mailto:m@ferries.example', guest);
    const first = await imports(ada, outside);
    await ada.api.updateCalendarEvent({
      params: { id: first },
      body: { calendar_event: { starts_at: '2026-11-23T09:30:00Z' } },
    } as never);
    const second = await imports(grace, outside);
    await ada.api.deleteCalendarEvent({ params: { id: first }, query: {} } as never);
    const { calendar_id } = await givenCalendar(workspace, ada);
    await importEvents(workspace, ada, { calendar_id, bytes: calendarFile([outside]) });
    expect(await listed(linus, 'moved')).toEqual([second]);
  });

  longIt('is one again when all copies took over another start, also for later copies', async () => {
    const guest = 'ATTENDEE:mailto:linus@acme.example';
    const at = (hour: string, sequence: number) =>
      vevent(
        'later',
        ...['SUMMARY:later', 'ORGANIZER:mailto:l@ferries.example', guest, `SEQUENCE:${sequence}`],
        ...[`DTSTART:20261124T${hour}0000Z`, `DTEND:20261124T${hour}3000Z`],
      );
    await imports(ada, at('09', 0));
    const second = await imports(grace, at('09', 0));
    await imports(grace, at('11', 1));
    await imports(ada, at('11', 1));
    const { calendar_id } = await givenCalendar(workspace, ada);
    await importEvents(workspace, ada, { calendar_id, bytes: calendarFile([at('11', 1)]) });
    expect(await listed(linus, 'later')).toEqual([second]);
  });

  it('is the event that was made here, of which others import copies', async () => {
    const { id } = await givenEvent(ada, `${calendars.get(ada)}`, {
      name: 'made',
      attendees: [{ email_address: 'grace@acme.example' }],
    });
    const copy = await imports(
      grace,
      vevent(id, 'SUMMARY:made', 'ORGANIZER:mailto:ada@acme.example', ...invited),
    );
    expect(copy).not.toBe(id);
    expect((await eventOf(grace, copy)).ical_uid).toBe(id);
    expect(await listed(grace, 'made')).toEqual([id]);
    expect(await listed(grace, 'made', { calendar_id: calendars.get(grace) })).toEqual([copy]);
  });

  longIt('counts for series, with their exceptions', async () => {
    const series = [
      meeting('daily', 'DTSTART:20261201T090000Z', 'DTEND:20261201T100000Z', 'RRULE:FREQ=DAILY;COUNT=3'),
      meeting(
        'daily',
        'RECURRENCE-ID:20261202T090000Z',
        'DTSTART:20261202T120000Z',
        'DTEND:20261202T130000Z',
      ),
    ];
    const hers = await imports(grace, ...series);
    const own = await imports(ada, ...series);
    expect(await listed(grace, 'daily')).toEqual([hers, hers, hers]);
    expect(await listed(ada, 'daily')).toEqual([own, own, own]);
  });

  longIt('needs all three to agree', async () => {
    await imports(ada, meeting('claimed'));
    await imports(grace, meeting('claimed', 'DTSTART:20261123T110000Z'));
    expect(await listed(linus, 'claimed')).toHaveLength(2);
  });

  longIt('opens nothing, and hides nothing of the organizer: a claim is an event of its own', async () => {
    const secret = vevent('theirs', 'SUMMARY:theirs', 'ORGANIZER:mailto:ada@acme.example');
    const id = await imports(ada, secret);
    const claim = await imports(linus, secret);
    expect(claim).not.toBe(id);
    expect(await codeOf(linus.reader.retrieveCalendarEvent({ params: { id } }))).toBe('404 record_not_found');
    expect(await listed(linus, 'theirs')).toEqual([claim]);
    expect(await listed(ada, 'theirs')).toEqual([id]);
    await imports(linus, meeting('early'));
    const real = await imports(ada, meeting('early'));
    expect(await listed(grace, 'early')).toContain(real);
  });
});
