import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allEvents, givenCalendar, givenEvent, shareMailbox } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /calendar_events/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  let calendar: { calendar_id: string; mailbox_id: string };
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus } = workspace);
  });
  beforeEach(async () => {
    calendar = await givenCalendar(workspace, ada);
  });
  afterAll(() => workspace.stop());

  const retrieve = (id: string, user: TestUser) => user.reader.retrieveCalendarEvent({ params: { id } });
  const read = async (id: string, user = ada) => (await retrieve(id, user)).body.calendar_event;
  const record = (id: string) => ({ record_type: 'calendar_events' as const, record_id: id });
  const repeated = { time_zone: 'Europe/London', recurrence: ['FREQ=DAILY;COUNT=3'] };
  const occurrences = async (series_id: string, user = ada) =>
    (await allEvents(user, { starts_after: '2026-11-01', starts_before: '2027-01-01' }))
      .filter(({ recurring_event_id }) => recurring_event_id === series_id)
      .map(({ id }) => id);

  it('200 for readers of the mailbox, for invited users, and by a share; 404 for all others', async () => {
    const { id } = await givenEvent(ada, calendar.calendar_id);
    for (const user of [grace, linus, workspace.hank])
      expect(await codeOf(retrieve(id, user))).toBe('404 record_not_found');
    expect(await codeOf(retrieve(randomUUID(), ada))).toBe('404 record_not_found');
    await shareMailbox(ada, calendar.mailbox_id, grace);
    await ada.api.createShare({ params: record(id), body: { share: { user_id: linus.user.id } } });
    for (const user of [grace, linus]) expect((await read(id, user)).id).toBe(id);
    const notified = (await linus.reader.listNotifications()).body.collection.records;
    expect(notified.map(({ event, payload }) => [event, payload?.name])).toContainEqual([
      'calendar_event_shared',
      'Ferry timetable',
    ]);
    const invited = await givenEvent(ada, (await givenCalendar(workspace, ada)).calendar_id, {
      attendees: [{ email_address: linus.user.email_address }],
    });
    expect((await read(invited.id, linus)).response_status).toBe('needs_action');
    expect(await codeOf(retrieve(invited.id, grace))).toBe('404 record_not_found');
  });

  longIt('200 with its comments, tags and tasks', async () => {
    const { id } = await givenEvent(ada, calendar.calendar_id);
    await ada.api.createComment({ params: record(id), body: { comment: { html_content: 'Hello' } } });
    await ada.api.applyTag({ params: record(id), body: { tag: { name: 'Boats' } } });
    const task = (await ada.api.createTask({ body: { task: { name: 'Call', calendar_event_id: id } } })).body
      .task;
    const event = await read(id);
    expect(event.comments?.map((each) => [each.html_content, each.calendar_event_id])).toEqual([
      ['Hello', id],
    ]);
    expect(event.tags?.map(({ name }) => name)).toEqual(['Boats']);
    expect(event.tasks).toEqual([task]);
  });

  longIt('what is attached to an occurrence belongs to it alone; what the series has, all have', async () => {
    const series = await givenEvent(ada, calendar.calendar_id, repeated);
    const [first = '', second = ''] = await occurrences(series.id);
    await ada.api.createComment({ params: record(first), body: { comment: { html_content: 'Hello' } } });
    await ada.api.applyTag({ params: record(first), body: { tag: { name: 'One' } } });
    await ada.api.applyTag({ params: record(series.id), body: { tag: { name: 'Series' } } });
    await ada.api.createTask({ body: { task: { name: 'Call', calendar_event_id: first } } });
    const parts = async (id: string) => {
      const { comments, tags, tasks } = await read(id);
      return [comments?.length, tags?.map(({ name }) => name), tasks?.length];
    };
    expect(await parts(first)).toEqual([1, ['One', 'Series'], 1]);
    expect(await parts(second)).toEqual([0, ['Series'], 0]);
    expect(await occurrences(series.id)).toHaveLength(3);
    expect((await read(first)).updated_at).toBeNull();
  });

  longIt('a share of the series opens all occurrences, one of an occurrence opens it alone', async () => {
    const series = await givenEvent(ada, calendar.calendar_id, repeated);
    const [first = '', second = ''] = await occurrences(series.id);
    const share = (id: string, user: TestUser) =>
      ada.api.createShare({ params: record(id), body: { share: { user_id: user.user.id } } });
    await share(first, linus);
    expect(await occurrences(series.id, linus)).toEqual([first]);
    expect(await codeOf(retrieve(second, linus))).toBe('404 record_not_found');
    const { share: ofSeries } = (await share(series.id, linus)).body;
    expect(await occurrences(series.id, linus)).toHaveLength(3);
    const { shares } = (await ada.reader.listShares({ params: record(first) })).body;
    expect(shares.map(({ record_id }) => record_id)).toEqual([first, series.id]);
    await ada.api.deleteShare({ params: { ...record(series.id), id: ofSeries.id } });
    expect(await occurrences(series.id, linus)).toEqual([first]);
  });

  it('403: sharing by who may only look, 404 by who does not see it', async () => {
    const { id } = await givenEvent(ada, calendar.calendar_id);
    await shareMailbox(ada, calendar.mailbox_id, grace);
    const share = { params: record(id), body: { share: { user_id: linus.user.id } } };
    expect(await codeOf(grace.api.createShare(share))).toBe('403 permission_denied');
    const other = { params: record(id), body: { share: { user_id: grace.user.id } } };
    expect(await codeOf(linus.api.createShare(other))).toBe('404 record_not_found');
  });
});
