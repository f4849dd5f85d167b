import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dealOf, givenDeal } from '../../support/deals.ts';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /deals/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: with comments, tags, shares and tasks', async () => {
    const { ada, grace } = workspace;
    const { id } = await givenDeal(ada);
    const params = { record_type: 'deals' as const, record_id: id };
    const { comment } = (
      await grace.api.createComment({ params, body: { comment: { html_content: 'Soon' } } })
    ).body;
    const { tag } = (await ada.api.createTag({ body: { tag: { name: 'Big' } } })).body;
    await ada.api.applyTag({ params, body: { tag_id: tag.id } });
    const share = { user_id: grace.user.id };
    await ada.api.createShare({ params, body: { share } });
    const { task } = (await grace.api.createTask({ body: { task: { name: 'Send the quote', deal_id: id } } }))
      .body;
    const deal = await dealOf(grace, id);
    expect(deal.comments?.map((each) => each.id)).toEqual([comment.id]);
    expect(deal.tags?.map(({ name }) => name)).toEqual(['Big']);
    expect(deal.shares).toMatchObject([{ record_type: 'deal', user_id: grace.user.id, access: 'view' }]);
    expect(deal.tasks).toEqual([task]);
    expect([task.deal_id, task.refs]).toEqual([id, [{ type: 'deal', id, label: 'Fleet renewal' }]]);
    const { records } = (await ada.reader.listDeals({ query: { tags: tag.id } })).body.collection;
    expect(records).toEqual([{ ...deal, comments: null, tasks: null }]);
    const counted = (await ada.reader.retrieveTag({ params: { id: tag.id } })).body.tag;
    expect(counted.deal_count).toBe(1);
  });

  it('404: an unknown, a hidden and a foreign one are the same', async () => {
    const { ada, linus, hank } = workspace;
    const { id } = await givenDeal(ada, { visibility: 'private' });
    for (const [user, wanted] of [
      [linus, id],
      [hank, id],
      [ada, randomUUID()],
    ] as const)
      expect(await codeOf(user.reader.retrieveDeal({ params: { id: wanted } }))).toBe('404 record_not_found');
  });
});
