import { afterAll, beforeAll, expect, it } from 'vitest';
import { EventList } from '#shared/domain/calendar/calendar-events/find.ts';
import { windowOf } from '#shared/domain/calendar/calendar-events/window.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { callerOf } from '../../../support/callers.ts';
import { givenCalendar, givenEvent } from '../../../support/events.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.stop());

it('reads a whole list in parts, occurrences of series among the others, or its beginning', async () => {
  const { ada, table } = workspace;
  const { calendar_id } = await givenCalendar(workspace, ada);
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  for (const days of [-1, -3, -5, -9, -40, 1])
    await givenEvent(ada, calendar_id, { starts_at: at(days), ends_at: at(days + 0.01) });
  const series = { time_zone: 'UTC', recurrence: ['FREQ=DAILY;INTERVAL=2;COUNT=4'] };
  await givenEvent(ada, calendar_id, { starts_at: at(-8), ends_at: at(-7.99), ...series });
  const caller = await callerOf(table, ada.user);
  const ctx = { ...workspace.ctx, now: new Date(), caller } as never as CallerContext;
  const window = windowOf({ slice: 'past', starts_after: Date.now() - 20 * 86_400_000 }, ctx, Date.now());
  const list = new EventList(ctx, window, []);
  const all = (await list.first(100)).map(({ starts_at }) => starts_at);
  expect(all).toHaveLength(8);
  for (const at_once of [1, 2, 3, 100])
    expect((await list.all(100, at_once)).map(({ starts_at }) => starts_at)).toEqual(all);
  expect((await list.all(3, 2)).map(({ starts_at }) => starts_at)).toEqual(all.slice(0, 4));
});
