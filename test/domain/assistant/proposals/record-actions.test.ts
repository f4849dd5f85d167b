import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { applyAsAgent } from '#shared/domain/assistant/proposals/propose.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import type { RecordType } from '#shared/table/keys.ts';
import { callerOf } from '../../../support/callers.ts';
import { givenComment } from '../../../support/comments.ts';
import { dealOf, givenDeal } from '../../../support/deals.ts';
import { unmergeWhole } from '../../../support/duplicates.ts';
import { codeOf } from '../../../support/failures.ts';
import { longIt } from '../../../support/long.ts';
import { givenOrganization, readOrganization } from '../../../support/organizations.ts';
import { givenPipeline } from '../../../support/pipelines.ts';
import {
  accept,
  givenContact,
  givenProposal,
  readContact,
  readProposal,
  toldOf,
  undo,
} from '../../../support/proposals.ts';
import { changes, creations, givenTask, readTask } from '../../../support/proposed-records.ts';
import { runRemovals } from '../../../support/removed-records.ts';
import { givenThread } from '../../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Proposals that create and change contacts, organizations, deals and tasks. */

let workspace: Workspace;
let ada: TestUser;
let grace: TestUser;
beforeAll(async () => {
  workspace = await startWorkspace({ files: true });
  ({ ada, grace } = workspace);
});
afterAll(() => workspace.stop());
afterEach(() => workspace.setTime(undefined));

const given = (action_type: string, params: object, user = ada, rest: object = {}) =>
  givenProposal(workspace, user, { action_type, params, ...rest });
const undoing = (proposal_id: string, user = ada) => user.api.undoProposal({ params: { proposal_id } });
const accepting = (proposal_id: string, user = ada) =>
  user.api.acceptProposal({ params: { proposal_id }, body: {} });
const NOT_UNDOABLE = '422 proposal_not_undoable';
const shown = ({ display }: { display: { changes: { field: string; after: string | null }[] } }) =>
  Object.fromEntries(display.changes.map(({ field, after }) => [field, after]));

/** A comment on a thread that Ada and Grace see. */
async function givenSource() {
  const thread = await givenThread(workspace, { users: [ada, grace] });
  return { source: { type: 'comment', id: (await givenComment(ada, thread)).id } };
}

describe.each(Object.entries(creations))('%s', (action_type, { params, read }) => {
  const often = action_type === 'contact.create' ? it : longIt;
  const type = action_type.split('.')[0] as string;
  const types = `${type}s` as RecordType;

  it('creates the record of the user who accepts, and undoing deletes it', async () => {
    const proposal = await given(action_type, params);
    expect(proposal).toMatchObject({ record_type: null, record_id: null, base_updated_at: null });
    expect(proposal.display.title).toBe(`Create the ${type} ${params.name}`);
    const applied = await accept(ada, proposal.id);
    expect(applied).toMatchObject({ status: 'applied', applied_record_type: singular(types) });
    const id = applied.applied_record_id as string;
    expect(await read(ada, id)).toMatchObject({ ...params, user_id: ada.user.id });
    expect((await undo(ada, proposal.id)).status).toBe('undone');
    await expect(read(ada, id)).rejects.toMatchObject({ code: 'record_not_found' });
  });

  longIt('is accepted once, by twenty requests at once', async () => {
    const { id } = await given(action_type, { ...params, external_id: `once ${action_type}` });
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => accepting(id)));
    const codes = answers.map((each) => (each.status === 'fulfilled' ? 'accepted' : each.reason.code));
    expect(codes.sort()).toEqual(['accepted', ...Array(19).fill('proposal_already_answered')]);
  });

  often('is applied by an agent at once, for the user, who can undo it', async () => {
    const caller = await callerOf(workspace.table, ada.user);
    const draft = { action_type, params, rationale: null, agent_slug: 'auto_task' as const, source: null };
    const { id, applied_record_id } = await applyAsAgent({ ...workspace.ctx, caller }, draft);
    expect(await read(ada, applied_record_id as string)).toMatchObject(params);
    expect((await readProposal(ada, id)).actions).toEqual(['undo']);
    expect((await undo(ada, id)).status).toBe('undone');
  });

  often('is not undone after a change of the record', async () => {
    const { id } = await given(action_type, params);
    const record_id = (await accept(ada, id)).applied_record_id as string;
    const { id: change } = await given(`${type}.update`, { record_id, name: 'Another' });
    await accept(ada, change);
    expect(await codeOf(undoing(id))).toBe(NOT_UNDOABLE);
  });

  often('is not undone once the record is shared', async () => {
    const { id } = await given(action_type, params);
    const record_id = (await accept(ada, id)).applied_record_id as string;
    const share = { user_id: grace.user.id };
    await ada.api.createShare({ params: { record_type: types as never, record_id }, body: { share } });
    expect(await codeOf(undoing(id))).toBe(NOT_UNDOABLE);
  });

  often('shows a taken external id, and stays open for another one', async () => {
    const sent = { ...params, external_id: `taken ${action_type}` };
    const [first, second] = [await given(action_type, sent), await given(action_type, sent)];
    await accept(ada, first.id);
    expect(await codeOf(accepting(second.id))).toBe('409 external_id_taken');
    expect((await accept(ada, second.id, { external_id: null })).status).toBe('applied');
  });
});

describe.each(Object.entries(changes))('%s', (action_type, change) => {
  const often = action_type === 'contact.update' ? it : longIt;
  const givenChange = async (user = ada) => {
    const before = await change.read(user, (await change.given(user)).id);
    const record_id = before.id as string;
    const params = { record_id, ...(await change.params(user)) };
    return { before, record_id, proposal: await given(action_type, params, user) };
  };

  it('changes the record, and undoing restores what it was', async () => {
    const { before, record_id, proposal } = await givenChange();
    expect(proposal).toMatchObject({ record_id, base_updated_at: null });
    expect(proposal.display.changes.length).toBeGreaterThan(0);
    const applied = await accept(ada, proposal.id);
    expect(applied).toMatchObject({ status: 'applied', applied_record_id: record_id });
    const after = await change.read(ada, record_id);
    expect(after).toMatchObject(change.made);
    await undo(ada, proposal.id);
    const { updated_at, stage_moved_at, ...restored } = await change.read(ada, record_id);
    expect({ ...before, ...restored }).toEqual(before);
    expect(Date.parse(updated_at as string)).toBeGreaterThan(Date.parse(after.updated_at as string));
  });

  often('is stale after another change, shows the record as it is now, and asks again', async () => {
    const { record_id, proposal } = await givenChange();
    const type = proposal.record_type as string;
    const other = type === 'contact' ? { nickname: 'Since' } : { name: 'Since' };
    await accept(ada, (await given(`${type}.update`, { record_id, ...other })).id);
    expect(await codeOf(accepting(proposal.id))).toBe('409 proposal_stale');
    expect((await readProposal(ada, proposal.id)).status).toBe('pending');
    expect((await accept(ada, proposal.id)).status).toBe('applied');
    expect(await change.read(ada, record_id)).toMatchObject({ ...change.made, ...other });
  });

  longIt('is not undone after another change', async () => {
    const { record_id, proposal } = await givenChange();
    await accept(ada, proposal.id);
    const type = proposal.record_type as string;
    await accept(ada, (await given(`${type}.update`, { record_id, name: 'Since' })).id);
    expect(await codeOf(undoing(proposal.id))).toBe(NOT_UNDOABLE);
    expect(await change.read(ada, record_id)).toMatchObject({ name: 'Since' });
  });

  often('404: of a hidden record and of another account, when it is proposed', async () => {
    const { record_id } = await givenChange(workspace.hank);
    const params = { record_id, ...(await change.params(ada)) };
    await expect(given(action_type, params)).rejects.toMatchObject({ code: 'record_not_found' });
  });

  often('fails with its reason once the record is gone', async () => {
    const { record_id, proposal } = await givenChange();
    const params = { id: record_id };
    const remove = {
      contact: ada.api.deleteContact,
      organization: ada.api.deleteOrganization,
      deal: ada.api.deleteDeal,
      task: ada.api.deleteTask,
    }[proposal.record_type as 'task'];
    await remove({ params });
    expect(await codeOf(accepting(proposal.id))).toBe('404 record_not_found');
  });
});

describe('rights', () => {
  it.each([
    ['organizations', 'organization.update', givenOrganization],
    ['deals', 'deal.update', givenDeal],
    ['tasks', 'task.update', givenTask],
    ['tasks', 'task.complete', givenTask],
  ] as const)('403: who may only look at %s cannot be given %s', async (record_type, action, give) => {
    const { id } = await give(ada, { visibility: 'private' });
    const share = { user_id: grace.user.id, access: 'view' as const };
    await ada.api.createShare({ params: { record_type, record_id: id }, body: { share } });
    const params = { record_id: id, ...(action === 'task.complete' ? {} : { name: 'X' }) };
    await expect(given(action, params, grace)).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it.each([
    ['contact.update', givenContact],
    ['organization.update', givenOrganization],
    ['deal.update', givenDeal],
    ['task.update', (user: TestUser) => givenTask(user, { visibility: 'account' })],
  ])('403: %s makes a record of somebody else private', async (action_type, give) => {
    const { id: record_id } = await give(ada);
    const { linus } = workspace;
    const proposing = given(action_type, { record_id, visibility: 'private' }, linus);
    await expect(proposing).rejects.toMatchObject({ code: 'permission_denied' });
    const { id } = await given(action_type, { record_id, name: 'Fine' }, linus);
    const body = { changes: { visibility: 'private' } };
    const accepted = linus.api.acceptProposal({ params: { proposal_id: id }, body });
    expect(await codeOf(accepted)).toBe('403 permission_denied');
  });

  it('403: a colleague who accepts in a comment has the own rights', async () => {
    const task = await givenTask(ada, { visibility: 'private' });
    const share = { user_id: grace.user.id, access: 'view' as const };
    await ada.api.createShare({ params: { record_type: 'tasks', record_id: task.id }, body: { share } });
    const { id } = await given('task.complete', { record_id: task.id }, ada, await givenSource());
    expect(await codeOf(accepting(id, grace))).toBe('403 permission_denied');
    expect((await accept(ada, id)).status).toBe('applied');
  });
});

describe('what a colleague makes of a proposal in a comment', () => {
  const hide = (id: string) => {
    const contact = { visibility: 'private' as const, name: 'Covert', headline: 'Spy' };
    return grace.api.updateContact({ params: { id }, body: { contact } });
  };

  it('is not told to its user, when the record is hidden from that user since', async () => {
    const contact = await givenContact(grace, { name: 'Priya', headline: 'Clerk' });
    const params = { record_id: contact.id, headline: 'Analyst' };
    const { id } = await given('contact.update', params, ada, await givenSource());
    const before = await readProposal(ada, id);
    await hide(contact.id);
    expect(await codeOf(accepting(id, grace))).toBe('409 proposal_stale');
    expect((await readProposal(ada, id)).display).toEqual(before.display);
    const applied = await accept(grace, id, { headline: 'Double agent' });
    expect(applied.status).toBe('applied');
    const { display, params: shownParams } = await readProposal(ada, id);
    expect({ display, params: shownParams }).toEqual({ display: before.display, params: before.params });
    const [told] = await toldOf(ada, applied);
    expect(told).toMatchObject({ event: 'proposal_applied', payload: { name: 'Change Priya' } });
    expect((await readContact(grace, contact.id)).headline).toBe('Double agent');
  });

  it('is shown as the record is now, while its user sees that', async () => {
    const contact = await givenContact(grace, { name: 'Priya', headline: 'Clerk' });
    const params = { record_id: contact.id, headline: 'Analyst' };
    const { id } = await given('contact.update', params, ada, await givenSource());
    const changes = { headline: 'Poet' };
    await grace.api.updateContact({ params: { id: contact.id }, body: { contact: changes } });
    expect(await codeOf(accepting(id, grace))).toBe('409 proposal_stale');
    expect((await readProposal(ada, id)).display.changes).toMatchObject([{ before: 'Poet' }]);
  });

  it.each([
    ['deal.create', { name: 'Ferries' }, { name: 'Takeover', visibility: 'private' as const }],
    ['task.create', { name: 'Call' }, { name: 'Resign', visibility: 'private' as const }],
  ])('is not told to others who see the comment: %s', async (action_type, params, changes) => {
    const source = await givenSource();
    for (const accepter of [grace, ada]) {
      const { id } = await given(action_type, params, ada, source);
      expect(await accept(accepter, id, changes)).toMatchObject({ status: 'applied' });
      const reader = accepter === ada ? grace : ada;
      expect(JSON.stringify(await readProposal(reader, id))).not.toContain(changes.name);
    }
  });

  it('is shown when everybody sees it, and its user accepts', async () => {
    const { id } = await given('deal.create', { name: 'Ferries' }, ada, await givenSource());
    await accept(ada, id, { name: 'Two ferries' });
    expect((await readProposal(grace, id)).display.title).toBe('Create the deal Two ferries');
  });
});

describe('tasks', () => {
  it('have the proposal that made them, and the moment and assignee that were proposed', async () => {
    workspace.setTime(new Date('2026-11-23T10:00:00Z'));
    const { id, params, display } = await given(
      'task.create',
      { name: 'Later', due_at: 'morning' },
      ada,
      await givenSource(),
    );
    const { due_at, assigned_user_id } = JSON.parse(params);
    expect(assigned_user_id).toBe(ada.user.id);
    expect(display.changes.map(({ field }) => field)).toEqual([
      'name',
      'due_at',
      'assigned_user_id',
      'visibility',
    ]);
    workspace.setTime(new Date('2026-11-26T10:00:00Z'));
    const task = await readTask(ada, (await accept(grace, id)).applied_record_id as string);
    expect(task).toMatchObject({ due_at, proposal_id: id, assigned_user_id: ada.user.id });
    expect(task.user_id).toBe(grace.user.id);
  });

  longIt('are for who took over, once their assignee has left', async () => {
    const { linus } = workspace;
    const { id } = await given('task.create', { name: 'Call', assigned_user_id: linus.user.id });
    const params = { id: linus.user.id };
    await ada.session.deleteUser({ params, body: { replacement_user_id: grace.user.id } });
    const task = await readTask(ada, (await accept(ada, id)).applied_record_id as string);
    expect(task.assigned_user_id).toBe(grace.user.id);
    await ada.session.updateUser({ params, body: { user: { status: 'active' } } });
  });

  it('name the records that they are about, to the user whom the proposal is for alone', async () => {
    const deal = await givenDeal(ada, { name: 'Quiet deal', visibility: 'private' });
    const contact = await givenContact(ada, { name: 'Priya' });
    const params = { name: 'Call', deal_id: deal.id, contact_ids: [contact.id] };
    const { id } = await given('task.create', params, ada, await givenSource());
    expect(shown(await readProposal(ada, id))).toMatchObject({ deal_id: 'Quiet deal', contact_ids: 'Priya' });
    expect(shown(await readProposal(grace, id))).toMatchObject({ deal_id: null, contact_ids: null });
    expect(JSON.stringify((await readProposal(grace, id)).display)).not.toContain('Quiet');
    expect(await codeOf(accepting(id, grace))).toBe('404 record_not_found');
    await grace.api.acceptProposal({ params: { proposal_id: id }, body: { changes: { deal_id: null } } });
    expect(shown(await readProposal(ada, id)).contact_ids).toBe('Priya');
  });

  it('are not undone when what they were about is gone', async () => {
    const contact = await givenContact(ada);
    const task = await givenTask(ada, { contact_ids: [contact.id], visibility: 'private' });
    const { id } = await given('task.update', { record_id: task.id, contact_ids: [] });
    await accept(ada, id);
    await ada.api.deleteContact({ params: { id: contact.id } });
    expect(await codeOf(undoing(id))).toBe(NOT_UNDOABLE);
  });

  it('of a colleague are changed by who sees the task and the comment', async () => {
    const task = await givenTask(ada, { visibility: 'account' });
    const { id } = await given('task.update', { record_id: task.id, name: 'New' }, ada, await givenSource());
    await accept(grace, id);
    expect((await readTask(ada, task.id)).name).toBe('New');
  });
});

describe('deals', () => {
  it('are created where they were proposed, whatever the default pipeline is then', async () => {
    const { params, id } = await given('deal.create', { name: 'Placed' });
    const { pipeline_id } = JSON.parse(params);
    const other = await givenPipeline(ada, `Pipeline ${randomUUID()}`);
    await ada.api.updatePipeline({ params: { id: other.id }, body: { pipeline: { default: true } } });
    const deal = await dealOf(ada, (await accept(ada, id)).applied_record_id as string);
    expect(deal.pipeline_id).toBe(pipeline_id);
  });

  it('are moved with the title of the stage, and stay where they are when theirs is gone', async () => {
    const pipeline = await givenPipeline(ada, `Pipeline ${randomUUID()}`);
    const [first, second] = pipeline.stages.map(({ id }) => id) as [string, string];
    const deal = await givenDeal(ada, { name: 'Ferry', pipeline_id: pipeline.id, stage_id: first });
    const proposal = await given('deal.move', { record_id: deal.id, stage_id: second });
    expect(proposal.display.title).toBe(`Move Ferry to ${pipeline.stages[1]?.name}`);
    await accept(ada, proposal.id);
    await ada.api.deleteStage({ params: { pipeline_id: pipeline.id, id: first }, body: {} });
    expect(await codeOf(undoing(proposal.id))).toBe(NOT_UNDOABLE);
    expect((await dealOf(ada, deal.id)).stage_id).toBe(second);
  });

  it('are not moved to a stage that is gone: the proposal fails', async () => {
    const pipeline = await givenPipeline(ada, `Pipeline ${randomUUID()}`);
    const [first, second] = pipeline.stages.map(({ id }) => id) as [string, string];
    const deal = await givenDeal(ada, { pipeline_id: pipeline.id, stage_id: first });
    const { id } = await given('deal.move', { record_id: deal.id, stage_id: second });
    await ada.api.deleteStage({ params: { pipeline_id: pipeline.id, id: second }, body: {} });
    expect(await codeOf(accepting(id))).toBe('404 record_not_found');
    expect((await readProposal(ada, id)).status).toBe('failed');
  });
});

describe('organizations', () => {
  it.each([
    ['a deal', (id: string) => givenDeal(ada, { organization_id: id })],
    ['a person', (id: string) => givenContact(ada, { employments: [{ organization: { id } }] })],
  ])('are not undone once they have %s', async (_, link) => {
    const { id } = await given('organization.create', { name: 'Linked' });
    const organization = (await accept(ada, id)).applied_record_id as string;
    await link(organization);
    expect(await codeOf(undoing(id))).toBe(NOT_UNDOABLE);
    expect((await readOrganization(ada, organization)).name).toBe('Linked');
  });

  it('409: a domain of another one, with its place among the changes', async () => {
    await givenOrganization(ada, { domains: ['taken.example'] });
    const { id } = await given('organization.create', { name: 'Second', domains: ['taken.example'] });
    await expect(accepting(id)).rejects.toMatchObject({
      code: 'domain_taken',
      fields: { 'changes.domains.0': { code: 'taken' } },
    });
  });
});

describe('employments', () => {
  it('create the organization that they name', async () => {
    const contact = await givenContact(ada);
    const params = { record_id: contact.id, organization: { name: 'Founded there' } };
    const { id } = await given('employment.create', params);
    expect(shown(await readProposal(ada, id))).toEqual({ employments: 'Founded there' });
    await accept(ada, id);
    const [job] = (await readContact(ada, contact.id)).employments;
    expect(job?.organization?.name).toBe('Founded there');
  });

  it('does not name an organization to a colleague, in its parameters either', async () => {
    const { id: record_id } = await givenContact(ada);
    const params = { record_id, title: 'Pilot', organization: { name: 'Hidden Works' } };
    const { id } = await given('employment.create', params, ada, await givenSource());
    const seen = await readProposal(grace, id);
    expect(seen.params).toEqual({ record_id, title: 'Pilot' });
    expect(JSON.stringify(seen)).not.toContain('Hidden');
  });
});

describe('contact.merge', () => {
  const givenPair = async () => {
    const [kept, gone] = [
      await givenContact(ada, { name: 'Priya' }),
      await givenContact(ada, { name: 'P. Rao', headline: 'Pilot' }),
    ];
    const params = { record_id: kept.id, contact_id_to_merge: gone.id };
    return { kept, gone, proposal: await given('contact.merge', params, ada, await givenSource()) };
  };

  it('makes one contact of two, which cannot be undone', async () => {
    const { kept, gone, proposal } = await givenPair();
    expect(shown(proposal)).toEqual({ contact_id_to_merge: 'P. Rao', headline: 'Pilot' });
    const applied = await accept(ada, proposal.id);
    expect(applied).toMatchObject({ status: 'applied', actions: [], applied_record_id: kept.id });
    expect(await readContact(ada, kept.id)).toMatchObject({ headline: 'Pilot', merged_ids: [gone.id] });
    expect(await codeOf(undoing(proposal.id))).toBe(NOT_UNDOABLE);
  });

  it.each(['kept', 'gone'] as const)('is stale after a change of the contact that is %s', async (which) => {
    const { proposal, ...pair } = await givenPair();
    await accept(ada, (await given('contact.update', { record_id: pair[which].id, nickname: 'Since' })).id);
    expect(await codeOf(accepting(proposal.id))).toBe('409 proposal_stale');
    expect((await accept(ada, proposal.id)).status).toBe('applied');
  });

  it('cannot be accepted for another contact', async () => {
    const { proposal } = await givenPair();
    const changes = { contact_id_to_merge: (await givenContact(ada)).id };
    const params = { proposal_id: proposal.id };
    await expect(ada.api.acceptProposal({ params, body: { changes } })).rejects.toMatchObject({
      fields: { 'changes.contact_id_to_merge': { code: 'not_allowed' } },
    });
  });

  it('tells its user nothing new of a contact that is hidden since', async () => {
    const kept = await givenContact(grace, { name: 'Priya' });
    const gone = await givenContact(grace, { name: 'P. Rao', headline: 'Pilot' });
    const params = { record_id: kept.id, contact_id_to_merge: gone.id };
    const { id } = await given('contact.merge', params, ada, await givenSource());
    const contact = { visibility: 'private' as const, headline: 'Spy' };
    await grace.api.updateContact({ params: { id: gone.id }, body: { contact } });
    expect(await codeOf(accepting(id, grace))).toBe('409 proposal_stale');
    await accept(grace, id);
    expect(shown(await readProposal(ada, id)).headline).toBe('Pilot');
  });

  it.each(['kept', 'gone'] as const)('ends with the contact that is %s', async (which) => {
    const { proposal, ...pair } = await givenPair();
    await ada.api.deleteContact({ params: { id: pair[which].id } });
    await runRemovals(workspace);
    const reading = ada.reader.retrieveProposal({ params: { id: proposal.id } });
    expect(await codeOf(reading)).toBe('404 record_not_found');
  });

  it('does not name the other contact to a colleague', async () => {
    const { proposal } = await givenPair();
    const { display } = await readProposal(grace, proposal.id);
    expect(display.title).toBe('Merge another contact into Priya');
    expect(JSON.stringify(display)).not.toContain('Rao');
  });

  longIt('is for colleagues who see both contacts, or the one that was made of them', async () => {
    const kept = await givenContact(ada, { name: 'Priya' });
    const gone = await givenContact(ada, { name: 'P. Rao', headline: 'Mole', visibility: 'private' });
    const params = { record_id: kept.id, contact_id_to_merge: gone.id };
    const { id } = await given('contact.merge', params, ada, await givenSource());
    const reading = () => grace.reader.retrieveProposal({ params: { id } });
    const setVisibility = (visibility: 'account' | 'private') =>
      ada.api.updateContact({ params: { id: gone.id }, body: { contact: { visibility } } });
    expect(await codeOf(reading())).toBe('404 record_not_found');
    const rejecting = grace.api.rejectProposal({ params: { proposal_id: id }, body: {} });
    expect(await codeOf(rejecting)).toBe('404 record_not_found');

    await setVisibility('account');
    const proposed = { contact_id_to_merge: null, headline: 'Mole', visibility: 'private' };
    expect(shown(await readProposal(grace, id))).toEqual(proposed);
    expect(await codeOf(accepting(id))).toBe('409 proposal_stale');
    await accept(ada, id);
    expect(shown(await readProposal(grace, id)).headline).toBe('Mole');
    expect((await reading()).body.proposal.params).toEqual({ record_id: kept.id, fields: {} });

    await runRemovals(workspace);
    await unmergeWhole(workspace, ada, kept.id, gone.id);
    expect((await reading()).status).toBe(200);
    await setVisibility('private');
    expect(await codeOf(reading())).toBe('404 record_not_found');
  });

  it('400: a contact and itself', async () => {
    const { id } = await givenContact(ada);
    const proposing = given('contact.merge', { record_id: id, contact_id_to_merge: id });
    await expect(proposing).rejects.toMatchObject({
      fields: { 'params.contact_id_to_merge': { code: 'invalid' } },
    });
  });
});
