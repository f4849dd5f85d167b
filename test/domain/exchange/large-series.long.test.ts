import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOfEvents } from '#shared/domain/exchange/calendars/pages.ts';
import { callerOf } from '../../support/callers.ts';
import { allEvents, givenCalendar, givenEvent } from '../../support/events.ts';
import { exportFile } from '../../support/exports.ts';
import { codeOf } from '../../support/failures.ts';
import { WIDE } from '../../support/large-data.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** A series whose exceptions are larger together than a response, or than a worker's memory, may be. */
describe('a large series', { timeout: 120_000 }, () => {
  const EXCEPTIONS = 90;
  let workspace: Workspace;
  let calendar_id: string;
  let id: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    const { ada } = workspace;
    ({ calendar_id } = await givenCalendar(workspace, ada));
    ({ id } = await givenEvent(ada, calendar_id, {
      time_zone: 'UTC',
      recurrence: [`FREQ=DAILY;COUNT=${EXCEPTIONS + 10}`],
    }));
    const all = await allEvents(ada, { calendar_id, starts_after: '2026-11-01', limit: 100 });
    for (const { id } of all.slice(0, EXCEPTIONS))
      await ada.api.updateCalendarEvent({
        params: { id },
        body: { calendar_event: { description_html: WIDE.repeat(20_000) } },
      });
  });
  afterAll(() => workspace?.stop());

  it('is 422 calendar_too_large as a file, and so is its calendar', async () => {
    const { reader } = workspace.ada;
    expect(await codeOf(reader.retrieveCalendarEventIcs({ params: { calendar_event_id: id } }))).toBe(
      '422 calendar_too_large',
    );
    expect(await codeOf(reader.retrieveCalendarIcs({ params: { calendar_id } }))).toBe(
      '422 calendar_too_large',
    );
  });

  it('is exported whole, in pages that are no larger for it', async () => {
    const { ada } = workspace;
    const ctx = { ...workspace.ctx, caller: await callerOf(workspace.table, ada.user) };
    const { events } = await pageOfEvents(ctx, { calendar_id }, { limit: 100, after: 'series ' });
    expect(events.map(({ text }) => text.length < 1_000)).toEqual([true]);
    const exported = await exportFile(workspace, ada, {
      ...{ record_type: 'calendar_events', format: 'ics', filters: { calendar_id } },
    });
    expect(exported.export).toMatchObject({ records_written: EXCEPTIONS + 1, status: 'complete' });
    expect(exported.text.match(/^RECURRENCE-ID/gm)).toHaveLength(EXCEPTIONS);
    expect(exported.text).not.toContain('EXDATE');
  });
});
