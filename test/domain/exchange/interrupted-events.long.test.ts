import { afterAll, beforeAll, expect, it } from 'vitest';
import { handler } from '../../../functions/queues/import-records.ts';
import { allEvents, givenCalendar } from '../../support/events.ts';
import { crashAfter, failCall } from '../../support/faults.ts';
import { calendarFile, vevent } from '../../support/ics.ts';
import { createImport, retrieveImport, rowsOf, runImports } from '../../support/imports.ts';
import { deliverMessages, openJobs } from '../../support/jobs.ts';
import { long, STRIDE } from '../../support/long.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** Imports of events that are interrupted or run twice make each event once. */

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ files: true, own_table: true });
});
afterAll(() => workspace?.stop());

const bytes = calendarFile([
  vevent('single'),
  vevent('series', 'DTSTART:20261123T090000Z', 'DTEND:20261123T100000Z', 'RRULE:FREQ=DAILY;COUNT=3'),
  vevent('series', 'RECURRENCE-ID:20261124T090000Z', 'DTSTART:20261124T110000Z', 'DTEND:20261124T113000Z'),
]);

const jobOf = async (import_id: string) => {
  const jobs = await openJobs(workspace.table, 'import-records');
  const job = jobs.find(({ body }) => body.import_id === import_id);
  return job && { job_id: job.id, ...job.body };
};

async function given() {
  const { calendar_id } = await givenCalendar(workspace, workspace.ada);
  const settings = { record_type: 'calendar_events' as const, calendar_id, dry_run: false };
  const { id } = await createImport(workspace.ada, { name: 'a.ics', bytes }, settings);
  return { id, calendar_id };
}

async function expectOnce({ id, calendar_id }: { id: string; calendar_id: string }) {
  expect(await retrieveImport(workspace.ada, id)).toMatchObject({ status: 'complete', rows_failed: 0 });
  const rows = await rowsOf(workspace.ada, id);
  expect(rows.map(({ status }) => status)).toEqual(['created', 'created', 'created']);
  const events = await allEvents(workspace.ada, { calendar_id, starts_after: '2026-11-01' });
  expect(events.map(({ starts_at }) => starts_at.slice(5, 16))).toEqual([
    ...['11-23T09:00', '11-23T09:00', '11-24T11:00', '11-25T09:00'],
  ]);
}

const faults = [
  crashAfter,
  ...(long ? [(...[table, call]: Parameters<typeof crashAfter>) => failCall(table, call, 'before')] : []),
];

it('makes each event once when it is interrupted at any call', async () => {
  for (const fault of faults)
    for (let [call, hit] = [1, true]; hit; call += STRIDE * 4) {
      const started = await given();
      const job = await jobOf(started.id);
      const injected = fault(workspace.table, call);
      await deliverMessages(handler, [job], 300_000);
      hit = injected.hit;
      injected.remove();
      await runImports(workspace);
      await expectOnce(started);
    }
});

it('makes each event once when two workers run it', async () => {
  const started = await given();
  const job = await jobOf(started.id);
  await Promise.all([deliverMessages(handler, [job], 1), deliverMessages(handler, [job], 1)]);
  await runImports(workspace);
  await expectOnce(started);
});
