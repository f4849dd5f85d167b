import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenDeal } from '../../../support/deals.ts';
import { longIt } from '../../../support/long.ts';
import { firstPipelineOf } from '../../../support/pipelines.ts';
import { givenContact } from '../../../support/proposals.ts';
import { runTool, toolContext } from '../../../support/tool-context.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** What the assistant finds of deals, as the user who asked sees them. */
describe('tools for deals', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());

  it('read a deal with its people, tags and comments, without what the user does not see', async () => {
    const [open, hidden] = [
      await givenContact(ada, { name: 'Tom' }),
      await givenContact(ada, { name: 'Secret', visibility: 'private' }),
    ];
    const contacts = [{ id: open.id, role: 'buyer' }, { id: hidden.id }];
    const draft = { name: 'Winches', amount: 12.5, currency: 'EUR', description: 'a'.repeat(3_000) };
    const { id } = await givenDeal(ada, { ...draft, contacts, assigned_user_id: grace.user.id });
    const params = { record_type: 'deals' as const, record_id: id };
    await ada.api.createComment({ params, body: { comment: { html_content: '<p>Soon</p>' } } });
    await ada.api.applyTag({ params, body: { tag: { name: 'Big' } } });
    const context = await toolContext(workspace, grace);
    const view = await runTool(context, 'read_record', { type: 'deal', id });
    expect(view).toMatchObject({
      type: 'deal',
      name: 'Winches',
      stage: 'Lead',
      status: 'open',
      amount: 12.5,
      currency: 'EUR',
      probability: 10,
      assignee: grace.user.name,
      organization: null,
      people: [{ contact_id: open.id, name: 'Tom', role: 'buyer' }],
      tags: ['Big'],
      comments: [{ author: ada.user.name, text: 'Soon' }],
    });
    expect('description' in view && view.description).toHaveLength(2_000);
    expect(await runTool(context, 'show_cards', { card_type: 'Deal', ids: [id] })).toEqual({ shown: true });
    expect(await runTool(context, 'show_cards', { card_type: 'Contact', ids: [open.id] })).toEqual({
      shown: true,
    });
  });

  longIt('find deals by words and status, the newest ten, and count the others', async () => {
    const { stages } = await firstPipelineOf(ada);
    for (let i = 0; i < 11; i++) await givenDeal(ada, { name: `Hull ${i}` });
    await givenDeal(ada, { name: 'Hull of mine', visibility: 'private' });
    const won = await givenDeal(ada, { name: 'Hull that was sold', stage_id: stages[4]?.id as string });
    const context = await toolContext(workspace, grace);
    const found = await runTool(context, 'search_deals', { query: 'hull', status: 'open' });
    expect([found.total, found.deals.length, found.deals[0]?.name]).toEqual([11, 10, 'Hull 10']);
    const sold = await runTool(context, 'search_deals', { status: 'won' });
    expect(sold).toMatchObject({ total: 1, deals: [{ id: won.id, stage: 'Won', probability: 100 }] });
    expect(await runTool(context, 'search_deals', { query: 'mine' })).toEqual({ deals: [], total: 0 });
  });

  it('refuse a deal that the user does not see', async () => {
    const { id } = await givenDeal(ada, { visibility: 'private' });
    const context = await toolContext(workspace, grace);
    await expect(runTool(context, 'read_record', { type: 'deal', id })).rejects.toThrow('no such record');
    await expect(runTool(context, 'show_cards', { card_type: 'Deal', ids: [id] })).rejects.toThrow(
      'No tool gave',
    );
    await expect(runTool(context, 'search_deals', { status: 'gone' })).rejects.toThrow('does not fit');
  });
});
