import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibility } from '#shared/composition/visibility.ts';
import { keys } from '#shared/table/keys.ts';
import { callerOf } from '../../support/callers.ts';
import { allEvents, givenCalendar, givenEvent } from '../../support/events.ts';
import { givenFile, givenUpload } from '../../support/files.ts';
import { accept, propose } from '../../support/proposals.ts';
import { givenTask } from '../../support/proposed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** An occurrence has no item until something is stored under it (docs/decisions/0041). */
describe('what gives an occurrence an item', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let free: string[];
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada } = workspace);
    const { calendar_id } = await givenCalendar(workspace, ada);
    await givenEvent(ada, calendar_id, { time_zone: 'Europe/London', recurrence: ['FREQ=DAILY;COUNT=20'] });
    const listed = await allEvents(ada, { starts_after: '2026-11-01', starts_before: '2027-01-01' });
    free = listed.map(({ id }) => id);
  });
  afterAll(() => workspace.stop());

  const hasItem = async (id: string) =>
    (await workspace.table.get(keys.record('calendar_events', id))) !== undefined;
  const record = (record_id: string) => ({ params: { record_type: 'calendar_events' as const, record_id } });

  /** A proposal does not store what it is about. */
  async function proposedTask(calendar_event_id: string) {
    const { ctx, table } = workspace;
    const caller = await callerOf(table, ada.user);
    const draft = { action_type: 'task.create', params: { name: 'Call', calendar_event_id } };
    const proposal = await propose({ ...ctx, ports: { ...ctx.ports, ...visibility }, caller }, draft);
    expect(await hasItem(calendar_event_id)).toBe(false);
    return proposal.id;
  }

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['a comment', (id) => ada.api.createComment({ ...record(id), body: { comment: { html_content: 'x' } } })],
    ['a tag', (id) => ada.api.applyTag({ ...record(id), body: { tag: { name: randomUUID() } } })],
    [
      'a share',
      (id) => ada.api.createShare({ ...record(id), body: { share: { user_id: workspace.grace.user.id } } }),
    ],
    ['a task', (id) => givenTask(ada, { calendar_event_id: id })],
    [
      'a link of a task',
      async (calendar_event_id) =>
        ada.api.updateTask({
          params: { id: (await givenTask(ada)).id },
          body: { task: { calendar_event_id } },
        }),
    ],
    [
      'a file',
      async (calendar_event_id) => {
        const { id: upload_id } = await givenUpload(ada);
        await ada.api.createFile({ body: { file: { upload_id, calendar_event_id } } });
      },
    ],
    [
      'a link of a file',
      async (calendar_event_id) => {
        const { id } = await givenFile(workspace, ada);
        await ada.api.updateFile({ params: { id }, body: { file: { calendar_event_id } } });
      },
    ],
    ['an accepted proposal', async (id) => accept(ada, await proposedTask(id))],
    [
      'one of several accepted proposals',
      async (id) => {
        const ids = [await proposedTask(id)];
        const { results } = (await ada.api.resolveProposals({ body: { ids, action: 'accept' } })).body;
        expect(results).toMatchObject([{ status: 'applied' }]);
      },
    ],
  ])('%s', async (_, store) => {
    const id = free.shift() ?? '';
    expect(await hasItem(id)).toBe(false);
    await store(id);
    expect(await hasItem(id)).toBe(true);
  });

  it('nothing that only reads', async () => {
    const id = free.shift() ?? '';
    await ada.reader.retrieveCalendarEvent({ params: { id } });
    await ada.reader.listComments(record(id));
    await ada.reader.listShares(record(id));
    await ada.reader.listTasks({ query: { calendar_event_id: id } });
    await ada.reader.listFiles({ query: { calendar_event_id: id } });
    expect(await hasItem(id)).toBe(false);
  });
});
