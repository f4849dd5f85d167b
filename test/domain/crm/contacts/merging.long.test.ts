import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeCall, runIndexings } from '../../../support/duplicates.ts';
import { openJobs } from '../../../support/jobs.ts';
import { SHORT_STRIDE } from '../../../support/long.ts';
import { crashMerges } from '../../../support/merged-records.ts';
import { givenContact, readContact } from '../../../support/proposals.ts';
import { comment, runRemovals } from '../../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

describe('a merge whose worker ends', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());

  it('moves everything, and the lists have it, whichever call is the last', {
    timeout: 600_000,
  }, async () => {
    const { ada, linus } = workspace;
    const listed = async (user: TestUser, query: object) =>
      (await user.reader.listContacts({ query })).body.collection.records.map(({ id }) => id);
    await crashMerges(workspace, SHORT_STRIDE, {
      begin: ({ ada: user }, from, into) => mergeCall(user, into, from),
      async check({ tag_ids, address, draft: { external_id } }, into) {
        await runIndexings(workspace);
        expect(await listed(ada, { tags: tag_ids.join(','), tag_operator: 'all' })).toContain(into);
        expect(await listed(linus, { slice: 'shared' })).toContain(into);
        expect(await listed(ada, { email_address: address })).toEqual([into]);
        expect(await listed(ada, { external_id })).toEqual([into]);
        expect(await openJobs(workspace.table)).toEqual([]);
      },
    });
  });

  it('goes on where it was, one transaction in each message', async () => {
    const { ada, grace } = workspace;
    const [into, from] = [await givenContact(ada, {}), await givenContact(ada, {})];
    const texts = Array.from({ length: 150 }, (_, i) => `Comment ${i}`);
    await Promise.all(texts.map((html_content) => comment(grace, from.id, { html_content })));
    const task = { name: 'Of many', contact_ids: [from.id] };
    await Promise.all(Array.from({ length: 60 }, () => grace.api.createTask({ body: { task } })));
    await mergeCall(ada, into.id, from.id);
    let messages = 0;
    for (; (await openJobs(workspace.table, 'remove-records')).length > 0; messages++)
      await runRemovals(workspace, () => true);
    await runIndexings(workspace);
    expect(messages).toBeGreaterThan(60);
    const found = await readContact(ada, into.id);
    expect(found.comments?.map(({ html_content }) => html_content).toSorted()).toEqual(texts.toSorted());
    expect(found.tasks).toHaveLength(60);
    expect(found.tasks?.every(({ contact_ids }) => contact_ids.join() === into.id)).toBe(true);
  });
});
