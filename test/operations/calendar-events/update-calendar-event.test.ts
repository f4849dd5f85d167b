import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { keys } from '#shared/table/keys.ts';
import {
  allEvents,
  givenCalendar,
  givenEvent,
  shareMailbox,
  stopSharingMailbox,
} from '../../support/events.ts';
import { codeOf, problemsOf, refusalsOf } from '../../support/failures.ts';
import { givenGroup } from '../../support/groups.ts';
import { cases, longIt } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /calendar_events/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let calendar_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace } = workspace);
  });
  beforeEach(async () => {
    ({ calendar_id } = await givenCalendar(workspace, ada));
  });
  afterAll(() => workspace.stop());

  const send = (id: string, fields: object, scope?: string, user = ada) =>
    user.api.updateCalendarEvent({
      params: { id },
      body: { calendar_event: fields, ...(scope ? { scope } : {}) } as never,
    });
  const change = async (id: string, fields: object, scope?: string) =>
    (await send(id, fields, scope)).body.calendar_event;
  const read = async (id: string, user = ada) =>
    (await user.reader.retrieveCalendarEvent({ params: { id } })).body.calendar_event;

  /** From Monday 23 March 2026: the clocks change on the 29th. */
  const series = (fields: object = {}) =>
    givenEvent(ada, calendar_id, {
      ...{ starts_at: '2026-03-23T09:00:00Z', ends_at: '2026-03-23T10:00:00Z', time_zone: 'Europe/London' },
      ...{
        recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
        attendees: [{ email_address: grace.user.email_address }],
      },
      ...fields,
    });
  const window = { starts_after: '2026-03-01', starts_before: '2027-01-01' };
  const occurrences = () => allEvents(ada, { ...window, calendar_id });
  const at = async () =>
    (await occurrences()).map(({ starts_at, name }) => `${starts_at.slice(0, 16)} ${name}`);

  it('200: a single event: what is sent changes, null clears', async () => {
    const event = await givenEvent(ada, calendar_id, { location: 'Pier 3', description_html: '<p>x</p>' });
    const after = await change(event.id, {
      name: 'Ferries',
      location: null,
      starts_at: '2026-11-23T09:30:00Z',
    });
    const changed = { name: 'Ferries', location: null, starts_at: '2026-11-23T09:30:00.000Z' };
    expect(after).toEqual({ ...event, ...changed, updated_at: after.updated_at });
    expect(await read(event.id)).toEqual(after);
    expect(await change(event.id, changed)).toEqual(after);
  });

  it('200: a timed event becomes one of days, and back', async () => {
    const event = await givenEvent(ada, calendar_id, {
      ...{ starts_at: '2026-11-23T23:00:00Z', ends_at: '2026-11-24T01:00:00Z' },
    });
    const days = {
      all_day: true,
      starts_on: '2026-11-23',
      ends_on: '2026-11-25',
      starts_at: '2026-11-23T00:00:00.000Z',
    };
    expect(await change(event.id, { all_day: true })).toMatchObject(days);
    expect(await change(event.id, { all_day: false })).toMatchObject({
      starts_on: null,
      ends_at: '2026-11-25T00:00:00.000Z',
    });
  });

  longIt('200: this: one occurrence, which keeps its id, its original start and its own values', async () => {
    await series();
    const [, second] = await occurrences();
    const id = second?.id as string;
    const moved = { starts_at: '2026-04-01T14:00:00.000Z', ends_at: '2026-04-01T15:00:00.000Z' };
    expect(second).toMatchObject({ starts_at: '2026-03-30T08:00:00.000Z', recurrence: null });
    expect(await change(id, { ...moved, name: 'Later' })).toMatchObject({
      ...moved,
      ...{ id, name: 'Later', original_starts_at: '2026-03-30T08:00:00.000Z' },
      recurring_event_id: second?.recurring_event_id,
    });
    expect(await at()).toEqual([
      '2026-03-23T09:00 Ferry timetable',
      '2026-04-01T14:00 Later',
      '2026-04-06T08:00 Ferry timetable',
      '2026-04-13T08:00 Ferry timetable',
    ]);
    await change(second?.recurring_event_id as string, { name: 'All', location: 'Pier 3' });
    expect(await read(id)).toMatchObject({ ...moved, name: 'Later', location: 'Pier 3' });
  });

  longIt('200: all: from any occurrence; exceptions keep what is their own; ids stay', async () => {
    await series();
    const before = await occurrences();
    const [first, second, third] = before.map(({ id }) => id) as [string, string, string];
    await change(second, { name: 'Own' });
    await ada.api.deleteCalendarEvent({ params: { id: third } });
    const times = { starts_at: '2026-03-24T11:00:00Z', ends_at: '2026-03-24T13:00:00Z' };
    expect(await change(first, { ...times, location: 'Pier 3' }, 'all')).toMatchObject({
      ...{ id: first, starts_at: '2026-03-24T11:00:00.000Z', ends_at: '2026-03-24T13:00:00.000Z' },
    });
    expect(await at()).toEqual([
      '2026-03-24T11:00 Ferry timetable',
      '2026-03-31T10:00 Own',
      '2026-04-14T10:00 Ferry timetable',
    ]);
    const after = await occurrences();
    expect(after.map(({ id }) => id)).toEqual([first, second, before[3]?.id]);
    expect(after.map(({ location }) => location)).toEqual(['Pier 3', 'Pier 3', 'Pier 3']);
    await change(second, { name: 'Same for all' }, 'all');
    expect((await occurrences()).map(({ name }) => name)).toEqual(Array(3).fill('Same for all'));
  });

  longIt('200: following: the series ends before, and another one goes on with the exceptions', async () => {
    await series({ recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5', 'EXDATE:20260420T080000Z'] });
    const [, second, third] = await occurrences();
    await change(third?.id as string, { name: 'Own' });
    const after = await change(second?.id as string, { location: 'Pier 3', name: 'Then' }, 'following');
    expect(after).toMatchObject({ location: 'Pier 3', starts_at: '2026-03-30T08:00:00.000Z' });
    expect(after.recurring_event_id).not.toBe(second?.recurring_event_id);
    expect(await at()).toEqual([
      '2026-03-23T09:00 Ferry timetable',
      '2026-03-30T08:00 Then',
      '2026-04-06T08:00 Own',
      '2026-04-13T08:00 Then',
    ]);
    expect(await read(third?.id as string)).toMatchObject({
      recurring_event_id: after.recurring_event_id,
      location: 'Pier 3',
    });
    const { recurrence } = await read(second?.recurring_event_id as string);
    expect(recurrence).toEqual(['RRULE:FREQ=WEEKLY;UNTIL=20260329']);
    expect((await read(after.recurring_event_id as string)).recurrence).toEqual([
      ...['RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20260420T080000Z'],
    ]);
    expect(await codeOf(ada.reader.retrieveCalendarEvent({ params: { id: second?.id as string } }))).toBe(
      '404 record_not_found',
    );
  });

  longIt('200: following: as many groups as a record is shared with see the later part too', async () => {
    const { id } = await series();
    for (let i = 0; i < 100; i++) {
      const group = await givenGroup(ada);
      const params = { record_type: 'calendar_events' as const, record_id: id };
      await ada.api.createShare({ params, body: { share: { group_id: group.id } } });
    }
    const [, second] = await occurrences();
    const { recurring_event_id } = await change(second?.id as string, { name: 'Then' }, 'following');
    expect((await read(`${recurring_event_id}`)).shares).toHaveLength(100);
  });

  it('200: following the first occurrence is all of them', async () => {
    const { id } = await series();
    const [first] = await occurrences();
    const after = await change(first?.id as string, { name: 'Then' }, 'following');
    expect(after).toMatchObject({ id: first?.id, recurring_event_id: id });
    expect((await occurrences()).map(({ name }) => name)).toEqual(Array(4).fill('Then'));
  });

  longIt('200: a single event becomes a series, which becomes single', async () => {
    const { id } = await series({ recurrence: undefined });
    expect(await at()).toHaveLength(1);
    await change(id, { recurrence: ['FREQ=DAILY;COUNT=3'] });
    expect(await at()).toEqual([23, 24, 25].map((day) => `2026-03-${day}T09:00 Ferry timetable`));
    await change(id, { recurrence: null });
    expect((await occurrences()).map((each) => each.id)).toEqual([id]);
  });

  longIt('200: another rule: occurrences with something of their own stay', async () => {
    const { id } = await series();
    const [, second] = await occurrences();
    await change(second?.id as string, { name: 'Own' });
    await change(id, { recurrence: ['FREQ=DAILY;COUNT=2'] });
    expect(await at()).toEqual([
      '2026-03-23T09:00 Ferry timetable',
      '2026-03-24T09:00 Ferry timetable',
      '2026-03-30T08:00 Own',
    ]);
  });

  it('200: the owner hides what it is about', async () => {
    const event = await series({ recurrence: undefined, location: 'Pier 3', private: true });
    expect(await read(event.id, grace)).toMatchObject({
      ...{ name: null, description: null, location: null, attendees: [], starts_at: event.starts_at },
      ...{ private: true, organizer_email_address: null, comments: [], tasks: [], tags: [], shares: [] },
    });
    for (const query of [{ query: 'ferry' }, { participant: 'grace@acme.example' }])
      expect((await allEvents(grace, { ...window, ...query })).map(({ id }) => id)).not.toContain(event.id);
    expect((await allEvents(grace, window)).map(({ id, name }) => [id, name])).toContainEqual([
      event.id,
      null,
    ]);
    const comments = { params: { record_type: 'calendar_events' as const, record_id: event.id } };
    expect(await codeOf(grace.reader.listComments(comments))).toBe('404 record_not_found');
    await change(event.id, { private: false });
    expect((await read(event.id, grace)).name).toBe('Ferry timetable');
  });

  it('403: by who is invited; 404 by who does not see it', async () => {
    const { id } = await series();
    expect(await codeOf(send(id, { name: 'x' }, undefined, grace))).toBe('403 permission_denied');
    expect(await codeOf(send(id, { name: 'x' }, undefined, workspace.linus))).toBe('404 record_not_found');
    expect(await codeOf(send(id, { name: 'x' }, undefined, workspace.hank))).toBe('404 record_not_found');
  });

  it('403: by who has an edit share, which is for briefs and transcripts', async () => {
    const { id } = await series();
    const params = { record_type: 'calendar_events' as const, record_id: id };
    const share = { user_id: workspace.linus.user.id, access: 'edit' as const };
    await ada.api.createShare({ params, body: { share } });
    const { linus } = workspace;
    expect(await codeOf(send(id, { name: 'x' }, undefined, linus))).toBe('403 permission_denied');
    expect(await codeOf(linus.api.deleteCalendarEvent({ params: { id } }))).toBe('403 permission_denied');
  });

  it('by who edits in the mailbox: the events that they organize, which only the owner hides', async () => {
    const { linus } = workspace;
    const { id, mailbox_id } = await series();
    await shareMailbox(ada, `${mailbox_id}`, linus, 'edit');
    expect(await codeOf(send(id, { name: 'x' }, undefined, linus))).toBe('403 permission_denied');
    const { id: own } = await givenEvent(linus, calendar_id);
    expect((await send(own, { name: 'x' }, undefined, linus)).status).toBe(200);
    expect(await codeOf(send(own, { private: true }, undefined, linus))).toBe('403 permission_denied');
    expect((await change(own, { private: true })).private).toBe(true);
  });

  it.each(cases(['all'], ['following']))(
    '403: a series by who may change one occurrence of it, scope %s',
    async (scope) => {
      const { linus } = workspace;
      const { mailbox_id } = await series();
      await shareMailbox(ada, `${mailbox_id}`, linus, 'edit');
      const own = { time_zone: 'Europe/London', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'] };
      const { id } = await givenEvent(linus, calendar_id, { name: 'Watch', ...own });
      await stopSharingMailbox(ada, `${mailbox_id}`);
      const all = await allEvents(ada, { ...window, calendar_id, query: 'watch' });
      const params = { record_type: 'calendar_events' as const, record_id: `${all[1]?.id}` };
      const share = { user_id: linus.user.id, access: 'edit' as const };
      await ada.api.createShare({ params, body: { share } });
      const occurrence = params.record_id;
      expect(await codeOf(send(id, { name: 'x' }, undefined, linus))).toBe('403 permission_denied');
      expect(await codeOf(send(occurrence, { name: 'x' }, scope, linus))).toBe('403 permission_denied');
      const deleting = linus.api.deleteCalendarEvent({
        params: { id: occurrence },
        query: { scope } as never,
      });
      expect(await codeOf(deleting)).toBe('403 permission_denied');
      expect(await allEvents(ada, { ...window, calendar_id, query: 'watch' })).toHaveLength(5);
      expect((await send(occurrence, { name: 'Watch here' }, 'this', linus)).status).toBe(200);
    },
  );

  it.each(cases(['following'], ['all']))(
    '403: what the owner hides is not shown by scope %s',
    async (scope) => {
      const { linus } = workspace;
      const { mailbox_id } = await series();
      await shareMailbox(ada, `${mailbox_id}`, linus, 'edit');
      const own = { time_zone: 'Europe/London', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] };
      const { id } = await givenEvent(linus, calendar_id, { name: 'Watch', ...own });
      const [, second] = await allEvents(ada, { ...window, calendar_id, query: 'watch' });
      const occurrence = `${second?.id}`;
      await change(id, { private: true, name: 'Lawyer' });
      await change(occurrence, { private: false, name: 'Open' });
      expect((await read(occurrence, linus)).name).toBe('Open');
      const opening = send(occurrence, { private: false }, scope, linus);
      expect(await codeOf(opening)).toBe('403 permission_denied');
      expect((await read(id, linus)).name).toBeNull();
      await change(id, { private: false });
      await change(occurrence, { private: true });
      expect(await codeOf(send(occurrence, { private: false }, scope, linus))).toBe('403 permission_denied');
      expect((await read(occurrence, linus)).name).toBeNull();
    },
  );

  it('404: an occurrence that the series does not have', async () => {
    const { id } = await series();
    const [first] = await occurrences();
    // The day is in the first characters of the id.
    const own = first?.id ?? '';
    const other = `${own.slice(0, 5)}8${own.slice(6)}`;
    for (const wrong of [other, id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))])
      expect(await codeOf(send(wrong, { name: 'x' }))).toBe('404 record_not_found');
  });

  longIt('400: what does not fit', async () => {
    const byDay = await series({ recurrence: ['FREQ=WEEKLY;BYDAY=MO'] });
    const [first] = await occurrences();
    const other = { starts_at: '2026-03-24T09:00:00Z', ends_at: '2026-03-24T10:00:00Z' };
    expect(await problemsOf(send(first?.id as string, other, 'all'))).toEqual({ starts_at: 'invalid' });
    expect(await problemsOf(send(first?.id as string, { recurrence: ['FREQ=DAILY'] }))).toEqual({
      recurrence: 'invalid',
    });
    expect(await problemsOf(send(byDay.id, { name: 'x' }, 'some'))).toEqual({ scope: 'invalid' });
    expect(await problemsOf(send(byDay.id, { calendar_id }))).toEqual({ calendar_id: 'not_allowed' });
    expect(await problemsOf(send(byDay.id, { name: null }))).toEqual({ name: 'invalid' });
    const withDays = { ...other, recurrence: ['FREQ=WEEKLY;BYDAY=TU;COUNT=2'] };
    await change(byDay.id, withDays);
    expect(await at()).toEqual(['2026-03-24T09:00 Ferry timetable', '2026-03-31T08:00 Ferry timetable']);
  });

  longIt(
    '200: a change that does not make an event larger that is too large; 400 for one that does',
    async () => {
      const { id } = await givenEvent(ada, calendar_id, { location: 'Pier 4, by the crane' });
      const description_html = '語'.repeat(80_000);
      await workspace.table.update<CalendarEvent>(keys.record('calendar_events', id), {
        set: { description_html },
      });
      for (const fields of [{ location: 'Pier 4' }, { name: 'Ferry', location: 'Pier 5' }, { private: true }])
        expect(await change(id, fields)).toMatchObject(fields);
      expect(await problemsOf(send(id, { name: 'Ferry timetable' }))).toEqual({ name: 'too_long' });
      expect(await change(id, { name: 'Ferry timetable', description_html: null })).toMatchObject({
        description_html: null,
      });
    },
  );

  longIt('400: more than 2,000 exceptions of a series, also of some at once', async () => {
    const { id } = await series();
    const days = Array.from({ length: 1_998 }, (_, i) => new Date(Date.UTC(1990, 0, 1 + i)).toISOString());
    const apart = new Set(days.map((day) => `${day.slice(0, 10).replaceAll('-', '')}T090000`));
    await workspace.table.update<CalendarEvent>(keys.record('calendar_events', id), { set: { apart } });
    const all = await occurrences();
    expect(all).toHaveLength(4);
    const refused = await refusalsOf(all.map((each) => send(each.id, { name: 'Own' })));
    expect(refused).toEqual([400, 400]);
  });

  longIt('changes at once are all kept, also the first ones of an occurrence', async () => {
    await series();
    for (const { id } of (await occurrences()).slice(0, 4)) {
      await Promise.all([
        send(id, { name: 'Own' }),
        send(id, { location: 'Pier 3' }),
        send(id, { description_html: 'x' }),
      ]);
      expect(await read(id)).toMatchObject({ name: 'Own', location: 'Pier 3', description: 'x' });
    }
  });
});
