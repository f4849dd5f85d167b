import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allEvents, givenCalendar, givenEvent } from '../../../support/events.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** What a change of a whole series, or of its later part, makes of its occurrences (docs/specification/calendar.md, "Series"). */
describe('changes of series', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let calendar_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada } = workspace);
  });
  beforeEach(async () => {
    ({ calendar_id } = await givenCalendar(workspace, ada));
  });
  afterAll(() => workspace.stop());

  /** Mondays from 2 March 2026, at 10. */
  const series = (recurrence: string[], fields: object = {}) =>
    givenEvent(ada, calendar_id, {
      ...{ name: 'Ferry', starts_at: '2026-03-02T10:00:00Z', ends_at: '2026-03-02T11:00:00Z' },
      ...{ time_zone: 'Europe/London', recurrence, ...fields },
    });
  const occurrences = () =>
    allEvents(ada, { calendar_id, starts_after: '2026-01-01', starts_before: '2026-12-31' });
  const shown = async () =>
    (await occurrences()).map(({ starts_at, name }) => `${starts_at.slice(5, 16)} ${name}`);
  const change = async (
    id: string | undefined,
    calendar_event: object,
    scope: 'this' | 'following' | 'all',
  ) =>
    (await ada.api.updateCalendarEvent({ params: { id: id ?? '' }, body: { calendar_event, scope } })).body
      .calendar_event;
  const times = (starts_at: string, ends_at: string) => ({
    starts_at: `2026-03-${starts_at}:00Z`,
    ends_at: `2026-03-${ends_at}:00Z`,
  });

  it('following: the named occurrence has nothing of its own afterwards of what was sent', async () => {
    await series(['FREQ=WEEKLY;COUNT=3']);
    const [, second] = await occurrences();
    await change(second?.id, { name: 'Own', location: 'Pier 3', ...times('10T15:00', '10T16:00') }, 'this');
    const then = { name: 'Then', ...times('09T12:00', '09T13:00') };
    expect(await change(second?.id, then, 'following')).toMatchObject({
      ...{ id: second?.id, name: 'Then', starts_at: '2026-03-09T12:00:00.000Z', location: 'Pier 3' },
    });
    expect(await shown()).toEqual(['03-02T10:00 Ferry', '03-09T12:00 Then', '03-16T12:00 Then']);
  });
});
