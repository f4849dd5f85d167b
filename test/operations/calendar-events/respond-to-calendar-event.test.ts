import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../support/accounts.ts';
import { allEvents, givenCalendar, givenEvent } from '../../support/events.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /calendar_events/{calendar_event_id}/response', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  let calendar_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus } = workspace);
    ({ calendar_id } = await givenCalendar(workspace, ada));
  });
  afterAll(() => workspace.stop());

  const invited = () => ({
    attendees: [grace, linus].map(({ user }) => ({ email_address: user.email_address })),
  });
  const respond = (user: TestUser, id: string, body: object) =>
    user.api.respondToCalendarEvent({ params: { calendar_event_id: id }, body: body as never });
  const answers = async (id: string) => {
    const { calendar_event } = (await ada.reader.retrieveCalendarEvent({ params: { id } })).body;
    return calendar_event.attendees.map(({ response_status, comment }) => [response_status, comment]);
  };

  it('200: each invited user for themselves, also at once and again', async () => {
    const { id } = await givenEvent(ada, calendar_id, invited());
    const [{ body }] = await Promise.all([
      respond(grace, id, { response: 'tentative', comment: ' Late ' }),
      respond(linus, id, { response: 'declined' }),
    ]);
    expect(body.calendar_event.response_status).toBe('tentative');
    expect(await answers(id)).toEqual([
      ['accepted', null],
      ['tentative', 'Late'],
      ['declined', null],
    ]);
    await respond(grace, id, { response: 'accepted' });
    await respond(ada, id, { response: 'declined' });
    expect(await answers(id)).toEqual([
      ['declined', null],
      ['accepted', null],
      ['declined', null],
    ]);
  });

  longIt('200: to one occurrence alone, or to the series', async () => {
    const { id } = await givenEvent(ada, calendar_id, {
      ...{ ...invited(), time_zone: 'Europe/London', recurrence: ['FREQ=DAILY;COUNT=2'] },
      ...{ starts_at: '2027-05-03T09:00:00Z', ends_at: '2027-05-03T10:00:00Z' },
    });
    const window = { starts_after: '2027-05-01', starts_before: '2027-06-01' };
    const [first, second] = (await allEvents(grace, window)).map((each) => each.id) as [string, string];
    await respond(grace, first, { response: 'declined' });
    await respond(grace, id, { response: 'accepted' });
    const own = async () => (await allEvents(grace, window)).map(({ response_status }) => response_status);
    expect(await own()).toEqual(['declined', 'accepted']);
    await ada.api.updateCalendarEvent({
      params: { id: second },
      body: { calendar_event: { name: 'Own' } } as never,
    });
    expect(await own()).toEqual(['declined', 'accepted']);
  });

  longIt('400 for a comment that finds no room; an answer and a change of the largest event do', async () => {
    const [owner, ...others] = (await givenAccount(workspace, 12)) as [TestUser, ...TestUser[]];
    const own = await givenCalendar(workspace, owner);
    const days = Array(62).fill('20270503T100000').join(',');
    const guests = Array.from({ length: 89 }, (_, i) => `${i}`.padEnd(64, 'a').concat('@', 'b'.repeat(255)));
    const { id } = await givenEvent(owner, own.calendar_id, {
      ...{ name: '語'.repeat(255), location: '語'.repeat(255), description_html: '語'.repeat(20_000) },
      ...{ starts_at: '2027-05-03T09:00:00Z', ends_at: '2027-05-03T10:00:00Z', time_zone: 'Europe/London' },
      recurrence: ['RRULE:FREQ=DAILY', ...Array(99).fill(`EXDATE:${days}`)],
      attendees: [...others.map(({ user }) => user.email_address), ...guests].map((email_address) => ({
        email_address,
      })),
    });
    const long = { response: 'accepted', comment: '語'.repeat(2_000) };
    for (const user of others.slice(0, 10)) await respond(user, id, long);
    const last = others[10] as TestUser;
    expect(await problemsOf(respond(last, id, long))).toEqual({ comment: 'too_long' });
    await respond(last, id, { response: 'accepted' });
    const changed = { calendar_event: { name: '字'.repeat(255) } } as never;
    const { calendar_event } = (await owner.api.updateCalendarEvent({ params: { id }, body: changed })).body;
    const comments = calendar_event.attendees.flatMap(({ comment }) => comment ?? []);
    expect(comments).toEqual(Array(10).fill('語'.repeat(2_000)));
  });

  longIt('200: the comments of who is not invited any more make room', async () => {
    const [owner, ...others] = (await givenAccount(workspace, 12)) as [TestUser, ...TestUser[]];
    const own = await givenCalendar(workspace, owner);
    const invite = (users: TestUser[]) => ({
      attendees: users.map(({ user }) => ({ email_address: user.email_address })),
    });
    const { id } = await givenEvent(owner, own.calendar_id, invite(others));
    const long = { response: 'accepted', comment: '語'.repeat(2_000) };
    for (const user of others.slice(0, 10)) await respond(user, id, long);
    const [gone, last] = [others[0] as TestUser, others[10] as TestUser];
    const change = (users: TestUser[]) =>
      owner.api.updateCalendarEvent({ params: { id }, body: { calendar_event: invite(users) } as never });
    await change(others.slice(1));
    await respond(last, id, long);
    const { calendar_event } = (await change(others)).body;
    const answers = new Map(calendar_event.attendees.map((each) => [each.email_address, each]));
    expect(answers.get(gone.user.email_address)).toMatchObject({
      response_status: 'accepted',
      comment: null,
    });
    expect(answers.get(last.user.email_address)).toMatchObject({ comment: long.comment });
    expect(await problemsOf(respond(gone, id, long))).toEqual({ comment: 'too_long' });
  });

  it('403 for who is not invited, 404 for who does not see it', async () => {
    const { id } = await givenEvent(ada, calendar_id);
    const params = { record_type: 'calendar_events' as const, record_id: id };
    await ada.api.createShare({ params, body: { share: { user_id: grace.user.id } } });
    expect(await codeOf(respond(grace, id, { response: 'accepted' }))).toBe('403 permission_denied');
    expect(await codeOf(respond(linus, id, { response: 'accepted' }))).toBe('404 record_not_found');
  });

  it('400: no answer, or another one', async () => {
    const { id } = await givenEvent(ada, calendar_id, invited());
    expect(await problemsOf(respond(grace, id, {}))).toEqual({ response: 'required' });
    expect(await problemsOf(respond(grace, id, { response: 'needs_action' }))).toEqual({
      response: 'invalid',
    });
  });
});
