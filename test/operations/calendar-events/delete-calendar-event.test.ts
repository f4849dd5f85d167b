import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allEvents, givenCalendar, givenEvent } from '../../support/events.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { runRemovals } from '../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /calendar_events/{id}', () => {
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

  const series = () =>
    givenEvent(ada, calendar_id, {
      ...{ starts_at: '2026-03-23T09:00:00Z', ends_at: '2026-03-23T10:00:00Z', time_zone: 'Europe/London' },
      ...{ recurrence: ['FREQ=DAILY;COUNT=4'], attendees: [{ email_address: grace.user.email_address }] },
    });
  const days = async () =>
    (await allEvents(ada, { starts_after: '2026-03-01', starts_before: '2027-01-01', calendar_id })).map(
      ({ id, starts_at }) => ({ id, day: Number(starts_at.slice(8, 10)) }),
    );
  const remove = (id: string, scope?: string, user = ada) =>
    user.api.deleteCalendarEvent({ params: { id }, ...(scope ? { query: { scope } as never } : {}) });
  const dayList = async () => (await days()).map(({ day }) => day);

  it('204: a single event, once', async () => {
    const { id } = await givenEvent(ada, calendar_id);
    expect((await remove(id)).status).toBe(204);
    expect(await codeOf(remove(id))).toBe('404 record_not_found');
    expect(await codeOf(ada.reader.retrieveCalendarEvent({ params: { id } }))).toBe('404 record_not_found');
  });

  longIt('204: this: one occurrence, also one that is stored', async () => {
    await series();
    const [first, second] = (await days()).map(({ id }) => id) as [string, string];
    await remove(first);
    expect(await dayList()).toEqual([24, 25, 26]);
    expect(await codeOf(remove(first))).toBe('404 record_not_found');
    const on = { params: { record_type: 'calendar_events' as const, record_id: second } };
    await ada.api.createComment({ ...on, body: { comment: { html_content: 'x' } } });
    await remove(second);
    expect(await dayList()).toEqual([25, 26]);
    await runRemovals(workspace);
    expect(await dayList()).toEqual([25, 26]);
    expect(await codeOf(remove(second))).toBe('404 record_not_found');
  });

  it('204: following: it and those behind it', async () => {
    await series();
    const [, second, third] = (await days()).map(({ id }) => id) as [string, string, string];
    const body = { calendar_event: { name: 'Own' } as never };
    await ada.api.updateCalendarEvent({ params: { id: third }, body: body as never });
    await remove(second, 'following');
    expect(await dayList()).toEqual([23]);
    expect(await codeOf(remove(third))).toBe('404 record_not_found');
    await runRemovals(workspace);
    expect(await dayList()).toEqual([23]);
  });

  longIt('204: all, from an occurrence or by the id of the series: with all exceptions', async () => {
    for (const named of ['occurrence', 'series']) {
      const { id } = await series();
      const [first, second] = (await days()).map((each) => each.id) as [string, string];
      await ada.api.updateCalendarEvent({
        params: { id: first },
        body: { calendar_event: { name: 'Own' } } as never,
      });
      await (named === 'series' ? remove(id) : remove(second, 'all'));
      expect(await days()).toEqual([]);
      expect(await codeOf(ada.reader.retrieveCalendarEvent({ params: { id: first } }))).toBe(
        '404 record_not_found',
      );
      await runRemovals(workspace);
      expect(await days()).toEqual([]);
    }
  });

  it('403 for who is invited, 404 for who does not see it, 400 for an unknown scope', async () => {
    const { id } = await series();
    expect(await codeOf(remove(id, 'all', grace))).toBe('403 permission_denied');
    expect(await codeOf(remove(id, 'all', workspace.linus))).toBe('404 record_not_found');
    expect(await problemsOf(remove(id, 'none'))).toEqual({ scope: 'invalid' });
  });
});
