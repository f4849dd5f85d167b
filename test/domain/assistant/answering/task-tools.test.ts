import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenDeal } from '../../../support/deals.ts';
import { givenOrganization } from '../../../support/organizations.ts';
import { givenContact } from '../../../support/proposals.ts';
import { givenTask } from '../../../support/proposed-records.ts';
import { runTool, toolContext } from '../../../support/tool-context.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

let workspace: Workspace;
let ada: TestUser;
let grace: TestUser;
beforeAll(async () => {
  workspace = await startWorkspace();
  ({ ada, grace } = workspace);
});
afterAll(() => workspace.stop());

/** What the assistant finds of tasks, as the user who asked sees them. */
describe('tools for tasks', () => {
  it('read a task with what it is about, without what the user does not see', async () => {
    const contact = await givenContact(ada, { name: 'Tom' });
    const hidden = await givenDeal(ada, { visibility: 'private' });
    const { id } = await givenTask(ada, {
      name: 'Read me',
      description: `<p>${'a'.repeat(3_000)}</p>`,
      due_at: '2026-12-01',
      all_day: true,
      assigned_user_id: grace.user.id,
      contact_ids: [contact.id],
      deal_id: hidden.id,
    });
    const context = await toolContext(workspace, grace);
    const view = await runTool(context, 'read_record', { type: 'task', id });
    expect(view).toMatchObject({
      type: 'task',
      name: 'Read me',
      status: 'open',
      due_at: '2026-12-01',
      assignee: grace.user.name,
      about: [{ type: 'contact', id: contact.id, name: 'Tom' }],
      completed_at: null,
    });
    expect('description' in view && view.description).toHaveLength(2_000);
    expect(await runTool(context, 'show_cards', { card_type: 'Task', ids: [id] })).toEqual({ shown: true });
    expect(context.given).toContain(`contact ${contact.id}`);
  });

  it('find open tasks by words, assignee, date and record, in the order in which they are due', async () => {
    const { id: contact_id } = await givenContact(ada);
    const about = { contact_ids: [contact_id] };
    await givenTask(ada, {
      ...about,
      name: 'Later hull',
      due_at: '2026-12-02',
      assigned_user_id: grace.user.id,
    });
    await givenTask(ada, { ...about, name: 'Sooner hull', due_at: '2026-11-02' });
    await givenTask(ada, { ...about, name: 'Sail' });
    await givenTask(ada, { name: 'Hidden hull' });
    const context = await toolContext(workspace, grace);
    const found = async (input: object) => {
      const { tasks, total } = await runTool(context, 'search_tasks', input);
      expect(total).toBe(tasks.length);
      return tasks.map(({ name }) => name);
    };
    expect(await found({ contact_id })).toEqual(['Sooner hull', 'Later hull', 'Sail']);
    expect(await found({ query: 'hull' })).toEqual(['Sooner hull', 'Later hull']);
    expect(await found({ contact_id, mine: true })).toEqual(['Later hull']);
    expect(await found({ contact_id, slice: 'overdue' })).toEqual(['Sooner hull']);
    expect(await found({ contact_id, slice: 'completed' })).toEqual([]);
  });

  it('refuse a task and a record that the user does not see', async () => {
    const { id } = await givenTask(ada);
    const { id: contact_id } = await givenContact(ada, { visibility: 'private' });
    const context = await toolContext(workspace, grace);
    await expect(runTool(context, 'read_record', { type: 'task', id })).rejects.toThrow('no such record');
    await expect(runTool(context, 'search_tasks', { contact_id })).rejects.toThrow('no such record');
    const cards = { card_type: 'Task', ids: [id] };
    await expect(runTool(context, 'show_cards', cards)).rejects.toThrow('No tool gave');
  });
});

describe('tools for organizations', () => {
  it('read one with its people, deals and tasks, without what the user does not see', async () => {
    const { id } = await givenOrganization(ada, {
      name: 'Northwind',
      domains: ['northwind.example'],
      description: 'a'.repeat(3_000),
    });
    const employments = [{ title: 'Pilot', organization: { id } }];
    const person = await givenContact(ada, { name: 'Tom', employments });
    await givenContact(ada, { name: 'Secret', employments, visibility: 'private' });
    const deal = await givenDeal(ada, { name: 'Winches', organization_id: id });
    await givenDeal(ada, { organization_id: id, visibility: 'private' });
    await givenTask(ada, { name: 'Call', organization_ids: [id] });
    const params = { record_type: 'organizations' as const, record_id: id };
    await ada.api.createComment({ params, body: { comment: { html_content: '<p>Soon</p>' } } });
    await ada.api.applyTag({ params, body: { tag: { name: 'Big' } } });
    const context = await toolContext(workspace, grace);
    const view = await runTool(context, 'read_record', { type: 'organization', id });
    expect(view).toMatchObject({
      type: 'organization',
      name: 'Northwind',
      domains: ['northwind.example'],
      people: [{ contact_id: person.id, name: 'Tom', title: 'Pilot', current: true }],
      contact_count: 1,
      deals: [{ id: deal.id, name: 'Winches' }],
      tasks: [{ name: 'Call', about: [{ name: 'Northwind' }] }],
      tags: ['Big'],
      comments: [{ author: ada.user.name, text: 'Soon' }],
    });
    expect('description' in view && view.description).toHaveLength(2_000);
    const cards = { card_type: 'Organization', ids: [id] };
    expect(await runTool(context, 'show_cards', cards)).toEqual({ shown: true });
    expect(await runTool(context, 'show_cards', { card_type: 'Deal', ids: [deal.id] })).toEqual({
      shown: true,
    });
  });

  it('find the first ten by words of names and domains', async () => {
    for (let i = 0; i < 11; i++)
      await givenOrganization(ada, { name: `Harbour ${String.fromCharCode(97 + i)}` });
    const { id } = await givenOrganization(ada, { name: 'Quay', domains: ['quay-works.example'] });
    await givenOrganization(ada, { name: 'Quay too', visibility: 'private' });
    const context = await toolContext(workspace, grace);
    const found = await runTool(context, 'search_organizations', { query: 'harb' });
    expect([found.more, found.organizations.length, found.organizations[0]?.name]).toEqual([
      true,
      10,
      'Harbour a',
    ]);
    const quay = await runTool(context, 'search_organizations', { query: 'quay' });
    expect(quay).toMatchObject({ more: false, organizations: [{ id }] });
  });
});

it('colleagues are those of the account, without deactivated ones', async () => {
  const { users } = await runTool(await toolContext(workspace, grace), 'list_users', {});
  const names = users.map(({ name }) => name);
  expect(names).toContain(ada.user.name);
  expect(names).not.toContain(workspace.hank.user.name);
});
