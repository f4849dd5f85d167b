import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calendarFiles } from '#shared/composition/calendar-servers.ts';
import { handler as dueWork } from '../../../../functions/queues/do-due-work.ts';
import { handler as sweep } from '../../../../functions/queues/sweep-jobs.ts';
import { runSync } from '../../../support/calendar-sync.ts';
import { allEvents, shareMailbox } from '../../../support/events.ts';
import { codeOf, problemsOf } from '../../../support/failures.ts';
import { crashAfter } from '../../../support/faults.ts';
import { FileServer } from '../../../support/file-server.ts';
import { calendarFile, vevent } from '../../../support/ics.ts';
import { openJobs, sentTooOften } from '../../../support/jobs.ts';
import { cases, longIt } from '../../../support/long.ts';
import { givenMailbox } from '../../../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

const emptyEvents = (begin: string) =>
  calendarFile(Array.from({ length: 280_000 }, (_, i) => `${begin}\nUID:${i}\nEND:VEVENT\n`));

/** docs/specification/calendar.md, "Calendars from addresses" */
describe('the file at an address', () => {
  let workspace: Workspace;
  let server: FileServer;
  let mailbox_id: string;
  let hours = 0;
  const made: [TestUser, string][] = [];
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    server = await new FileServer().start();
    workspace.ctx.config.calendar_hosts.push(server.host);
    mailbox_id = await givenMailbox(workspace, workspace.ada, workspace.account_id);
    await shareMailbox(workspace.ada, mailbox_id, workspace.linus, 'edit');
  });
  afterAll(async () => {
    await server.stop();
    await workspace.stop();
  });
  beforeEach(() => {
    server.instead = undefined;
    made.length = 0;
  });
  afterEach(async () => {
    for (const [user, id] of made) {
      const params = { user_id: user.user.id, id };
      await user.api.deleteCalendarSubscription({ params }).catch(() => undefined);
    }
    await runSync(workspace);
  });

  const post = async (user: TestUser, url: string, fields: object = {}) => {
    const response = await user.api.createCalendarSubscription({
      params: { user_id: user.user.id },
      body: { calendar_subscription: { url, ...fields } },
    });
    made.push([user, response.body.calendar_subscription.id]);
    return response;
  };
  const follow = async (user: TestUser, url: string) => {
    const { body } = await post(user, url);
    await runSync(workspace);
    return body.calendar_subscription;
  };
  const unfollow = async (user: TestUser, id: string) => {
    await user.api.deleteCalendarSubscription({ params: { user_id: user.user.id, id } });
    await runSync(workspace);
  };
  const calendars = async (user: TestUser) =>
    (await user.reader.listCalendars()).body.collection.records.filter((each) => each.mailbox_id === null);
  const calendar = async (user: TestUser, id: string) =>
    (await calendars(user)).find((each) => each.id === id);
  const events = (user: TestUser, calendar_id?: string) =>
    allEvents(user, { starts_after: '2026-11-01T00:00:00Z', ...(calendar_id ? { calendar_id } : {}) });
  const names = async (user: TestUser, calendar_id?: string) =>
    (await events(user, calendar_id)).map(({ name }) => name).sort();
  /** Lets some hours pass, and what is due be done. */
  const later = async (by = 4.1) => {
    hours += by;
    workspace.setTime(new Date(Date.now() + hours * 3_600_000));
    await dueWork();
    await runSync(workspace);
  };
  const ferries = (...more: string[]) =>
    calendarFile(
      [vevent('one', 'SUMMARY:One', 'DTSTAMP:20261101T000000Z'), ...more],
      'X-WR-CALNAME:Fer\\,ries',
    );

  longIt('becomes a calendar of the user’s own, which is only read and nobody else sees', async () => {
    const { ada, linus, grace, hank } = workspace;
    const url = server.write('one.ics', ferries());
    const subscription = (await post(ada, `${url}#today`, { color: '#2F6FED' })).body.calendar_subscription;
    expect(subscription).toMatchObject({ url, user_id: ada.user.id, visible: true, color: '#2F6FED' });
    const { calendar_id } = subscription;
    expect(await calendar(ada, calendar_id)).toMatchObject({
      ...{ name: 'Fer,ries', user_id: ada.user.id, mailbox_id: null, read_only: true, sync_enabled: true },
      ...{ primary: false, last_synced_at: null, last_error: null, time_zone: 'Europe/London' },
    });
    await runSync(workspace);
    expect((await calendar(ada, calendar_id))?.last_synced_at).toEqual(expect.any(String));
    const [event] = await events(ada, calendar_id);
    expect(event).toMatchObject({ name: 'One', calendar_id, mailbox_id: null, user_id: ada.user.id });
    expect(await names(ada)).toEqual(['One']);
    const params = { id: event?.id ?? '' };
    const draft = { calendar_id, name: 'x', starts_on: '2026-11-23', ends_on: '2026-11-24', all_day: true };
    expect([
      await codeOf(ada.api.createCalendarEvent({ body: { calendar_event: draft } })),
      await codeOf(ada.api.updateCalendarEvent({ params, body: { calendar_event: { name: 'y' } } })),
      await codeOf(ada.api.deleteCalendarEvent({ params })),
    ]).toEqual(['422 calendar_read_only', '422 calendar_read_only', '422 calendar_read_only']);
    for (const user of [linus, grace, hank]) {
      expect(await calendars(user)).toEqual([]);
      expect(await names(user)).toEqual([]);
      expect([
        await codeOf(user.reader.listCalendarEvents({ query: { calendar_id } })),
        await codeOf(user.reader.retrieveCalendarEvent({ params })),
        await codeOf(user.reader.retrieveCalendarIcs({ params: { calendar_id } })),
        await codeOf(user.api.updateCalendar({ params: { id: calendar_id }, body: { calendar: {} } })),
      ]).toEqual(Array(4).fill('404 record_not_found'));
    }
    expect((await post(ada, url)).body.calendar_subscription).toEqual(subscription);
    expect(await calendars(ada)).toHaveLength(1);
  });

  longIt(
    'its events can be shared, commented on and answered, and the calendar be called otherwise',
    async () => {
      const { ada, grace } = workspace;
      const { calendar_id } = await follow(ada, server.write('shared.ics', ferries()));
      const [event] = await events(ada, calendar_id);
      const on = { record_type: 'calendar_events' as const, record_id: event?.id ?? '' };
      await ada.api.createShare({ params: on, body: { share: { user_id: grace.user.id } } });
      expect(await names(grace)).toEqual(['One']);
      await grace.api.createComment({
        params: on,
        body: { comment: { html_content: '<p>Late again?</p>' } },
      });
      const params = { calendar_event_id: on.record_id };
      await ada.api.respondToCalendarEvent({ params, body: { response: 'declined' } });
      const renamed = { name: 'Boats', color: '#00ff00' };
      const body = { calendar: renamed };
      expect(
        (await ada.api.updateCalendar({ params: { id: calendar_id }, body })).body.calendar,
      ).toMatchObject(renamed);
      await later();
      expect((await events(ada, calendar_id))[0]).toMatchObject({ response_status: 'declined' });
      expect(await calendar(ada, calendar_id)).toMatchObject(renamed);
    },
  );

  longIt('is read again after four hours: what changed, came and went; the same file once', async () => {
    const { ada } = workspace;
    const two = vevent('two', 'SUMMARY:Two');
    const { calendar_id } = await follow(ada, server.write('two.ics', ferries(two)));
    expect(await names(ada, calendar_id)).toEqual(['One', 'Two']);
    const before = await events(ada, calendar_id);
    server.answered.length = 0;
    await later();
    expect(server.answered).toEqual([304]);
    expect(await events(ada, calendar_id)).toEqual(before);
    // Written at another time, and nothing else.
    server.write('two.ics', ferries(two).replace('DTSTAMP:20261101', 'DTSTAMP:20261102'));
    await later();
    expect(await events(ada, calendar_id)).toEqual(before);
    server.write('two.ics', ferries(vevent('three', 'SUMMARY:Three')).replace('SUMMARY:One', 'SUMMARY:Uno'));
    await later();
    expect(await names(ada, calendar_id)).toEqual(['Three', 'Uno']);
    const kept = (await events(ada, calendar_id)).find(({ name }) => name === 'Uno');
    expect(before.map((each) => each.id)).toContain(kept?.id);
    server.write('two.ics', ferries(two));
    await later();
    expect(await names(ada, calendar_id)).toEqual(['One', 'Two']);
  });

  longIt('has series with exceptions, zones of its own, and events without an end', async () => {
    const { ada } = workspace;
    const zone = ['BEGIN:VTIMEZONE', 'TZID:Pier', 'X-LIC-LOCATION:Europe/London', 'END:VTIMEZONE', ''].join(
      '\r\n',
    );
    const week = vevent(
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
    const open = vevent('open', 'SUMMARY:Open').replace('END:VEVENT\r\n', '');
    const text = calendarFile([zone, moved, open, week]);
    const { calendar_id } = await follow(ada, server.write('week.ics', text));
    expect(
      (await events(ada, calendar_id)).map(({ starts_at, name }) => `${starts_at.slice(0, 10)} ${name}`),
    ).toEqual([
      ...['2026-11-02 Ferry timetable', '2026-11-10 Moved', '2026-11-16 Ferry timetable', '2026-11-23 Open'],
    ]);
  });

  it.each(
    cases(
      [['ORGAN\r\n IZER:', 'ATTEN\r\n\tDEE:']],
      [
        ['ORGANIZER:', 'ATTENDEE;CN=G\r\n race:'],
        ['O\r\n\r\n  RGANIZER:', 'A\r\n\r\n  TTENDEE:'],
      ],
    ),
  )('invites nobody, whomever it names: %j, %j', async (organizer, attendee) => {
    const { ada, grace } = workspace;
    const lines = [`${organizer}mailto:boss@x.example`, `${attendee}mailto:${grace.user.email_address}`];
    const { calendar_id } = await follow(
      ada,
      server.write('people.ics', ferries(vevent('p', 'SUMMARY:P', ...lines))),
    );
    const found = (await events(ada, calendar_id)).find(({ name }) => name === 'P');
    expect(found).toMatchObject({ organizer_email_address: ada.user.email_address });
    expect(found?.attendees.map(({ email_address }) => email_address)).toEqual([ada.user.email_address]);
    expect(await names(grace)).toEqual([]);
  });

  longIt('is another calendar for each user, whose events nobody replaces', async () => {
    const { ada, grace } = workspace;
    const url = server.write('both.ics', ferries());
    const [hers, his] = [await follow(ada, url), await follow(grace, url)];
    expect(hers.calendar_id).not.toBe(his.calendar_id);
    expect(hers.id).not.toBe(his.id);
    const forged = await follow(
      grace,
      server.write('forged.ics', ferries().replace('SUMMARY:One', 'SUMMARY:Forged')),
    );
    expect(await names(ada)).toEqual(['One']);
    expect(await names(grace, forged.calendar_id)).toEqual(['Forged']);
    await unfollow(grace, his.id);
    await unfollow(grace, forged.id);
    expect(await names(ada)).toEqual(['One']);
    expect(await names(grace)).toEqual([]);
  });

  longIt('goes with its subscription, and comes back with another one', async () => {
    const { ada, grace } = workspace;
    const url = server.write('gone.ics', ferries());
    const { id, calendar_id } = await follow(ada, url);
    const params = { user_id: ada.user.id, id };
    expect(await codeOf(grace.api.deleteCalendarSubscription({ params }))).toBe('403 permission_denied');
    await ada.api.deleteCalendarSubscription({ params });
    expect(await calendar(ada, calendar_id)).toBeUndefined();
    expect(await codeOf(ada.reader.listCalendarEvents({ query: { calendar_id } }))).toBe(
      '404 record_not_found',
    );
    await runSync(workspace);
    expect(await names(ada)).toEqual([]);
    const again = await follow(ada, url);
    expect(again.calendar_id).not.toBe(calendar_id);
    expect(await names(ada)).toEqual(['One']);
    await unfollow(ada, again.id);
    await later(30);
    expect(await names(ada)).toEqual([]);
  });

  longIt.each<[string, string, NonNullable<FileServer['instead']>]>([
    ['404', 'server_gone', (_, response) => response.writeHead(404).end()],
    ['410', 'server_gone', (_, response) => response.writeHead(410).end()],
    ['403', 'server_refused', (_, response) => response.writeHead(403).end()],
    ['500', 'server_unavailable', (_, response) => response.writeHead(500).end()],
    ['503', 'server_unavailable', (_, response) => response.writeHead(503, { 'Retry-After': '9' }).end()],
    ['no calendar', 'server_refused', (_, response) => response.end('<html>Sign in</html>')],
    ['half a file', 'server_refused', (_, response) => response.end('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n')],
    ['nothing', 'server_refused', (_, response) => response.end()],
    [
      '280,000 events that say nothing',
      'server_refused',
      (_, response) => response.end(emptyEvents('BEGIN:VEVENT')),
    ],
    [
      'as many, of folded lines',
      'server_refused',
      (_, response) => response.end(emptyEvents('B\n EGIN:VEVENT')),
    ],
    [
      'a redirect to http',
      'server_gone',
      (_, response) => response.writeHead(302, { Location: 'http://example.com/a.ics' }).end(),
    ],
    [
      'a redirect to this machine',
      'server_gone',
      (_, response) => response.writeHead(302, { Location: 'https://localhost/a.ics' }).end(),
    ],
    [
      'a redirect to the cloud',
      'server_gone',
      (_, response) => response.writeHead(307, { Location: 'https://169.254.169.254/latest' }).end(),
    ],
    [
      'a redirect without an end',
      'server_gone',
      (_, response) => response.writeHead(301, { Location: '/loop' }).end(),
    ],
    [
      '50 MB',
      'server_refused',
      (_, response) => {
        response.on('error', () => undefined);
        response.write('BEGIN:VCALENDAR\r\n');
        for (let i = 0; i < 50; i++) response.write('X'.repeat(1_000_000));
        response.end();
      },
    ],
    ['an end of the connection', 'server_unavailable', (request) => request.socket.destroy()],
  ])('%s leaves the events as they were, and shows', async (what, code, instead) => {
    const { ada } = workspace;
    const { calendar_id } = await follow(ada, server.write('bad.ics', ferries()));
    server.instead = instead;
    await later();
    expect(await names(ada, calendar_id)).toEqual(['One']);
    const shown = await calendar(ada, calendar_id);
    expect(shown?.last_error).toMatchObject({ code });
    expect(shown?.last_error?.message).not.toContain('http');
    const refused = await codeOf(post(ada, `${server.url}${encodeURIComponent(what)}.ics`));
    expect(refused).toBe(code === 'server_unavailable' ? '502 provider_failed' : '400 invalid_request');
    server.instead = undefined;
    await later(1.1);
    expect(await calendar(ada, calendar_id)).toMatchObject({ last_error: null });
  });

  longIt('one that stays away is asked less and less often', async () => {
    const { ada } = workspace;
    const { calendar_id } = await follow(ada, server.write('away.ics', ferries()));
    server.instead = (_, response) => response.writeHead(500).end();
    await later();
    server.answered.length = 0;
    await later(0.5);
    expect(server.answered).toEqual([]);
    await later(0.6);
    await later(1.1);
    expect(server.answered).toEqual([500]);
    expect((await calendar(ada, calendar_id))?.last_error).toMatchObject({ code: 'server_unavailable' });
  });

  longIt('an event that cannot be read keeps no other, and shows', async () => {
    const { ada } = workspace;
    const bad = [vevent('x').replace(/DT(START|END).*\r\n/g, ''), vevent('y').replace('UID:y\r\n', '')];
    const { calendar_id } = await follow(ada, server.write('odd.ics', ferries(...bad)));
    expect(await names(ada, calendar_id)).toEqual(['One']);
    expect((await calendar(ada, calendar_id))?.last_error).toMatchObject({ code: 'events_unreadable' });
    server.write('odd.ics', ferries());
    await later();
    expect((await calendar(ada, calendar_id))?.last_error).toBeNull();
  });

  longIt('an event with more exceptions than a series has keeps no other', async () => {
    const { ada } = workspace;
    const many = vevent('many', 'SUMMARY:Many').repeat(2_200);
    const { calendar_id } = await follow(ada, server.write('many.ics', ferries(many)));
    expect(await names(ada, calendar_id)).toEqual(['One']);
    expect((await calendar(ada, calendar_id))?.last_error).toMatchObject({ code: 'events_unreadable' });
  });

  longIt('one whose reading ends its process each time shows that, and is read again later', async () => {
    const { ada } = workspace;
    const { calendar_id } = (await post(ada, server.write('kills.ics', ferries()))).body
      .calendar_subscription;
    for (let run = 0; run < 2; run++) {
      const death = crashAfter(workspace.table, 8);
      await runSync(workspace).catch(() => undefined);
      death.remove();
      hours += 1;
      workspace.setTime(new Date(Date.now() + hours * 3_600_000));
    }
    await runSync(workspace);
    expect(await calendar(ada, calendar_id)).toMatchObject({
      ...{ last_error: { code: 'reading_stopped' }, last_synced_at: null },
    });
    await later(1.1);
    expect(await names(ada, calendar_id)).toEqual(['One']);
    expect(await calendar(ada, calendar_id)).toMatchObject({ last_error: null });
  });

  longIt('one whose job was sent too often shows that, and is read again later', async () => {
    const { ada } = workspace;
    const { calendar_id } = (await post(ada, server.write('lost.ics', ferries()))).body.calendar_subscription;
    await sentTooOften(workspace.table, 'sync-calendars');
    await sweep();
    expect(await openJobs(workspace.table, 'sync-calendars')).toEqual([]);
    expect(await calendar(ada, calendar_id)).toMatchObject({ last_error: { code: 'reading_stopped' } });
    await later(1.1);
    expect(await names(ada, calendar_id)).toEqual(['One']);
  });

  longIt('is not read while its user does not want it, or is not active', async () => {
    const { ada } = workspace;
    const { calendar_id } = await follow(ada, server.write('off.ics', ferries()));
    const set = (sync_enabled: boolean) =>
      ada.api.updateCalendar({ params: { id: calendar_id }, body: { calendar: { sync_enabled } } });
    await set(false);
    server.answered.length = 0;
    await later();
    expect(server.answered).toEqual([]);
    await set(true);
    await later();
    expect(server.answered).toEqual([304]);
  });

  longIt('ends in a run whose time is up, and goes on in the next one', async () => {
    const { ada } = workspace;
    const many = Array.from({ length: 60 }, (_, i) => vevent(`n${i}`, `SUMMARY:N${i}`));
    const { id, calendar_id } = (await post(ada, server.write('many.ics', ferries(...many)))).body
      .calendar_subscription;
    await runSync(workspace, 1_000);
    expect(await names(ada, calendar_id)).toEqual([]);
    await runSync(workspace);
    expect(await names(ada, calendar_id)).toHaveLength(61);
    await unfollow(ada, id);
    expect(await names(ada)).toEqual([]);
  });

  it('400: addresses that are none, or not public; both fields, and none', async () => {
    const { ada, grace } = workspace;
    for (const url of [
      '',
      'ferries',
      'ftp://x.example/a.ics',
      'https://ada:x@x.example/a.ics',
      `https://x.example/${'a'.repeat(2_100)}`,
    ])
      expect(Object.keys((await problemsOf(post(ada, url))) ?? {})).toEqual(['url']);
    for (const url of [
      'http://example.com/a.ics',
      'https://127.0.0.1/a.ics',
      'https://[::1]/a.ics',
      'https://10.0.0.1/a.ics',
      'https://169.254.169.254/latest/meta-data',
      'https://localhost/a.ics',
      'https://x.example:8443/a.ics',
      'https://2130706433/a.ics',
    ])
      expect(await problemsOf(post(ada, url))).toEqual({ url: 'invalid' });
    const params = { user_id: ada.user.id };
    const id = calendarless;
    const send = (calendar_subscription: object) =>
      ada.api.createCalendarSubscription({ params, body: { calendar_subscription } as never });
    expect(await problemsOf(send({}))).toEqual({ calendar_id: 'required' });
    expect(await problemsOf(send({ calendar_id: id, url: 'https://x.example/a.ics' }))).toEqual({
      url: 'invalid',
    });
    const other = {
      params: { user_id: grace.user.id },
      body: { calendar_subscription: { url: server.write('a.ics', ferries()) } },
    };
    expect(await codeOf(ada.api.createCalendarSubscription(other))).toBe('403 permission_denied');
  });

  it('one that never ends is left', async () => {
    server.instead = (_, response) => {
      const more = setInterval(() => response.write('X-MORE:1\r\n'), 10);
      response.on('close', () => clearInterval(more));
      response.write('BEGIN:VCALENDAR\r\n');
    };
    const files = calendarFiles.calendar_files(workspace.ctx.config);
    await expect(files.read(`${server.url}endless.ics`, null, AbortSignal.timeout(200))).rejects.toThrow();
  });

  it('webcal is read as https', async () => {
    const problems = await problemsOf(post(workspace.ada, 'webcal://127.0.0.1/a.ics'));
    expect(problems).toEqual({ url: 'invalid' });
  });

  longIt('a user follows twenty at most, also of some at once', async () => {
    const { grace } = workspace;
    const urls = Array.from({ length: 23 }, (_, i) => server.write(`many-${i}.ics`, calendarFile([])));
    for (const url of urls.slice(0, 17)) await post(grace, url);
    const outcomes = await Promise.allSettled(urls.slice(17).map((url) => post(grace, url)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
      ...Array(3).fill('fulfilled'),
      ...Array(3).fill('rejected'),
    ]);
    expect(await problemsOf(post(grace, server.write('more.ics', calendarFile([]))))).toEqual({
      url: 'invalid',
    });
    expect(await calendars(grace)).toHaveLength(20);
    const twice = await Promise.all([post(grace, `${urls[0]}`), post(grace, `${urls[0]}`)]);
    expect(twice[0]?.body).toEqual(twice[1]?.body);
  });
});

const calendarless = '0198c0de-0000-7000-8000-000000000001';
