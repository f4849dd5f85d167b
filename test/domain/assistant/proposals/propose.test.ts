import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  applyAsAgent,
  draftProposal,
  type ProposalDraft,
} from '#shared/domain/assistant/proposals/propose.ts';
import { callerOf } from '../../../support/callers.ts';
import { givenDeal } from '../../../support/deals.ts';
import { failCall } from '../../../support/faults.ts';
import { longIt, STRIDE } from '../../../support/long.ts';
import {
  givenContact,
  readContact,
  readProposal,
  tagNames,
  toldOf,
  undo,
} from '../../../support/proposals.ts';
import { allItems } from '../../../support/tags.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

describe('proposing', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());

  const whole = (draft: Partial<ProposalDraft>): ProposalDraft => ({
    action_type: 'contact.update',
    params: {},
    rationale: null,
    agent_slug: null,
    source: null,
    ...draft,
  });
  const draft = async (sent: Partial<ProposalDraft>, user = ada) => {
    const { table, ctx } = workspace;
    return draftProposal({ ...ctx, caller: await callerOf(table, user.user), now: new Date() }, whole(sent));
  };
  const apply = async (sent: Partial<ProposalDraft>, user = ada) => {
    const caller = await callerOf(workspace.table, user.user);
    return applyAsAgent({ ...workspace.ctx, caller, now: new Date() }, whole(sent));
  };
  const problemsOf = (call: Promise<unknown>) =>
    call.then(
      () => 'done',
      ({ code, fields = {} }) => [
        code,
        ...Object.entries(fields).map(([name, field]) => `${name} ${(field as { code: string }).code}`),
      ],
    );

  it('writes nothing by itself', async () => {
    const { id } = await givenContact(ada);
    const before = (await allItems(workspace.table)).length;
    const { proposal, writes } = await draft({ params: { record_id: id, headline: 'X' } });
    // The proposal, its row, its place under the record, that the record is live, and who is told.
    expect(writes).toHaveLength(5);
    expect(await allItems(workspace.table)).toHaveLength(before);
    await workspace.table.transact(writes);
    expect((await readProposal(ada, proposal.id)).id).toBe(proposal.id);
    expect(await toldOf(ada, proposal)).toMatchObject([
      { event: 'proposal_created', prompting_user_id: null },
    ]);
  });

  it('has the parsed parameters, and texts of readable length', async () => {
    const { id } = await givenContact(ada);
    const params = { record_id: id.toUpperCase(), description: 'd'.repeat(300), shape: 'round' };
    const { proposal } = await draft({ params });
    expect(JSON.parse(proposal.params)).toEqual({ record_id: id, description: 'd'.repeat(300) });
    expect(proposal.display.changes[0]?.after).toBe(`${'d'.repeat(254)}…`);
  });

  it.each([
    ['an unknown action', { action_type: 'contact.delete' }, ['action_type invalid']],
    ['no parameters', { params: undefined }, ['params required']],
    ['no object', { params: 'all' }, ['params invalid']],
    ['no record', { params: { headline: 'X' } }, ['params.record_id required']],
    [
      'bad values',
      { action_type: 'contact.create', params: { birthday: 'x', name: 'y'.repeat(256) } },
      ['params.name too_long', 'params.birthday invalid_format'],
    ],
    ['no name', { action_type: 'contact.create', params: {} }, ['params.name required']],
    [
      'both a tag and its id',
      {
        action_type: 'tag.apply',
        params: { record_type: 'contact', record_id: randomUUID(), tag_id: randomUUID(), tag: { name: 'X' } },
      },
      ['params.tag not_allowed'],
    ],
    [
      'a tag of what has none',
      { action_type: 'tag.remove', params: { record_type: 'space', record_id: randomUUID() } },
      ['params.record_type invalid', 'params.tag_id required'],
    ],
    ['a long reason', { rationale: 'x'.repeat(2_001) }, ['rationale too_long']],
    [
      'more than 32 KB',
      { action_type: 'contact.create', params: { name: 'X', description: 'é'.repeat(17_000) } },
      ['params too_long'],
    ],
  ])('400: %s', async (_, sent, problems) => {
    expect(await problemsOf(draft(sent))).toEqual(['invalid_request', ...problems]);
  });

  it('400 for a proposal that would change nothing', async () => {
    const { id } = await givenContact(ada, { headline: 'Same' });
    const sent = { params: { record_id: id, headline: ' Same ' } };
    expect(await problemsOf(draft(sent))).toEqual(['invalid_request', 'params invalid']);
  });

  longIt('404: records and tags that are hidden, of another account or unknown', async () => {
    const hidden = await givenContact(grace, { visibility: 'private' });
    const foreign = await givenContact(workspace.hank);
    const { tag } = (await workspace.hank.api.createTag({ body: { tag: { name: 'Theirs' } } })).body;
    const own = await givenContact(ada);
    for (const record_id of [hidden.id, foreign.id, randomUUID()]) {
      expect(await problemsOf(draft({ params: { record_id, headline: 'X' } }))).toEqual(['record_not_found']);
      const params = { record_type: 'contact', record_id, tag: { name: 'X' } };
      expect(await problemsOf(draft({ action_type: 'tag.apply', params }))).toEqual(['record_not_found']);
    }
    const params = { record_type: 'contact', record_id: own.id, tag_id: tag.id };
    for (const action_type of ['tag.apply', 'tag.remove'])
      expect(await problemsOf(draft({ action_type, params }))).toEqual(['record_not_found']);
  });

  describe('by an agent that does not ask', () => {
    const tagging = (record_id: string, name: string) => ({
      action_type: 'tag.apply',
      agent_slug: 'auto_tag' as const,
      params: { record_type: 'contact', record_id, tag: { name } },
    });

    it('is applied at once, as the user, who is told and can undo it', async () => {
      const { id } = await givenContact(ada);
      const proposal = await apply(tagging(id, 'Automatic'));
      expect(await readProposal(ada, proposal.id)).toMatchObject({
        status: 'applied',
        agent_slug: 'auto_tag',
        applied_record_id: id,
        tag_id: proposal.tag_id,
        resolved_by_user_id: null,
        actions: ['undo'],
      });
      expect(tagNames(await readContact(ada, id))).toEqual(['Automatic']);
      expect(await toldOf(ada, proposal)).toMatchObject([
        { event: 'proposal_applied', prompting_user_id: null },
      ]);
      const { records } = (await ada.reader.listProposals({ query: { status: 'applied' } })).body.collection;
      expect(records[0]?.id).toBe(proposal.id);
      await undo(ada, proposal.id);
      expect(tagNames(await readContact(ada, id))).toEqual([]);
    });

    it('notifies others of the change as everybody is, and names no user as its cause', async () => {
      const assigned_user_id = grace.user.id;
      const about = async (user: TestUser, record: { id: string | null }) =>
        (await toldOf(user, { id: record.id ?? '' })).map((each) => [each.event, each.prompting_user_id]);
      const { id, pipeline_id, stage_id } = await givenDeal(ada, { assigned_user_id });
      const { pipeline } = (await ada.reader.retrievePipeline({ params: { id: pipeline_id } })).body;
      const next = pipeline.stages.find((stage) => stage.kind === 'open' && stage.id !== stage_id);
      await apply({ action_type: 'deal.move', params: { record_id: id, stage_id: next?.id } });
      expect(await about(grace, { id })).toEqual([
        ['deal_stage_moved', null],
        ['deal_assigned', ada.user.id],
      ]);
      // The user for whom it acted has `proposal_applied`.
      expect(await about(ada, { id })).toEqual([]);
      for (const [user, told] of [
        [ada, []],
        [grace, [['task_assigned', null]]],
      ] as const) {
        const params = { name: 'Call', assigned_user_id: user.user.id };
        const { applied_record_id } = await apply({ action_type: 'task.create', params });
        expect(await about(user, { id: applied_record_id })).toEqual(told);
      }
    });

    it('fails as the action does, and leaves nothing', async () => {
      const email_addresses = [{ email_address: 'agent@x.example' }];
      await givenContact(ada, { email_addresses });
      const before = (await allItems(workspace.table)).length;
      const sent = { action_type: 'contact.create', params: { email_addresses } };
      expect(await problemsOf(apply(sent))).toEqual([
        'email_address_taken',
        'email_addresses.0.email_address taken',
      ]);
      expect(await allItems(workspace.table)).toHaveLength(before);
    });

    longIt('writes tag and proposal together or not at all, whichever call fails', async () => {
      const caller = await callerOf(workspace.table, ada.user);
      for (const when of ['before', 'after'] as const) {
        let more = true;
        for (let call = 1; more; call += STRIDE) {
          const { id } = await givenContact(ada);
          const fault = failCall(workspace.table, call, when);
          const sent = whole(tagging(id, `Agent ${when} ${call}`));
          await applyAsAgent({ ...workspace.ctx, caller, now: new Date() }, sent).catch(() => {});
          fault.remove();
          more = fault.hit;
          const query = { status: 'applied', record_type: 'contact', record_id: id } as const;
          const { records } = (await ada.reader.listProposals({ query })).body.collection;
          expect((await readContact(ada, id)).tags).toHaveLength(records.length);
        }
      }
    });
  });
});
