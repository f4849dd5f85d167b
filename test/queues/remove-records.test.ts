import { afterAll, beforeAll, expect, it } from 'vitest';
import { handler } from '../../functions/queues/remove-records.ts';
import { mergeInto } from '../support/duplicates.ts';
import { deliverMessages, openJobs } from '../support/jobs.ts';
import { longIt } from '../support/long.ts';
import { givenContact, readContact } from '../support/proposals.ts';
import { mostReadTogether } from '../support/read-together.ts';
import { proposeHeadline, tag } from '../support/removed-records.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ own_table: true });
});
afterAll(() => workspace.stop());

it('moves what belongs to a merged contact, and lists the other one by it; a message that comes again changes nothing', async () => {
  const { ada, table } = workspace;
  const [into, from] = [await givenContact(ada), await givenContact(ada)];
  const tags = await tag(ada, from.id, 'Moved');
  await mergeInto(ada, into.id, from.id);
  const [job] = await openJobs(table, 'remove-records');
  const message = { job_id: job?.id, ...job?.body };
  expect(await deliverMessages(handler, [message])).toEqual({ failed: [] });
  expect((await readContact(ada, into.id)).tags).toMatchObject([{ id: tags, name: 'Moved' }]);
  const listed = async () =>
    (await ada.reader.listContacts({ query: { tags } })).body.collection.records.map(({ id }) => id);
  expect(await listed()).toEqual([into.id]);
  expect(await openJobs(table)).toEqual([]);
  expect(await deliverMessages(handler, [message])).toEqual({ failed: [] });
  expect(await listed()).toEqual([into.id]);
});

longIt('reads some proposals about a deleted record at once, however many there are', async () => {
  const { ada, table } = workspace;
  const { id } = await givenContact(ada);
  for (let i = 0; i < 30; i++) await proposeHeadline(workspace, ada, id);
  await ada.api.deleteContact({ params: { id } });
  const most = await mostReadTogether(table, async () => {
    for (const job of await openJobs(table, 'remove-records'))
      await deliverMessages(handler, [{ job_id: job.id, ...job.body }]);
  });
  expect((await ada.reader.listProposals()).body.collection.records).toEqual([]);
  expect(most).toBeLessThanOrEqual(25);
});
