import { afterAll, beforeAll, expect, it } from 'vitest';
import { handler } from '../../functions/queues/remove-records.ts';
import { mergeInto } from '../support/duplicates.ts';
import { deliverMessages, openJobs } from '../support/jobs.ts';
import { givenContact, readContact } from '../support/proposals.ts';
import { tag } from '../support/removed-records.ts';
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
