import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listsOfRecords } from '#shared/composition/record-lists.ts';
import type { RestorableType } from '#shared/domain/collaboration/records/types.ts';
import { givenField } from '../../../support/custom-fields.ts';
import { givenDeal } from '../../../support/deals.ts';
import { deletedIds, makers, remove, restore, retrieve } from '../../../support/deletions.ts';
import { mergeWhole } from '../../../support/duplicates.ts';
import { codeOf, failureOf } from '../../../support/failures.ts';
import { crashAfter, failCall, meanwhile } from '../../../support/faults.ts';
import { uploadFile } from '../../../support/files.ts';
import { givenGroup } from '../../../support/groups.ts';
import { openJobs } from '../../../support/jobs.ts';
import { expectListed } from '../../../support/list-places.ts';
import { cases, mostly, STRIDE } from '../../../support/long.ts';
import { givenMilestone } from '../../../support/milestones.ts';
import { givenOrganization } from '../../../support/organizations.ts';
import { givenContact } from '../../../support/proposals.ts';
import { givenTask } from '../../../support/proposed-records.ts';
import {
  comment,
  comments,
  givenRecord,
  purgeAll,
  runRemovals,
  tag,
} from '../../../support/removed-records.ts';
import { runMoves } from '../../../support/replaced-stages.ts';
import { givenSpace, join } from '../../../support/spaces.ts';
import { expectConsistent, runCleanUps } from '../../../support/tags.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

type Body = Record<string, Record<string, unknown>>;

/** What hangs on a deleted record, and comes back with it. */
describe('a record that is restored', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());

  const read = async (type: RestorableType, id: string, user = ada) =>
    Object.values((await retrieve[type](user, id)) as Body)[0]!;
  const gone = (type: RestorableType, id: string) => remove[type](ada, id);
  const bin = async (type: RestorableType, id: string) => {
    await gone(type, id);
    await runRemovals(workspace);
  };
  /** Without what the change of others moves. */
  const lasting = ({ updated_at, ...rest }: Record<string, unknown>) => rest;
  const listed = (type: RestorableType, id: string) =>
    expectListed(workspace.table, listsOfRecords.indexes[type] as never, id);
  const tagCounts = async () =>
    (await ada.reader.listTags()).body.collection.records.map(({ name, contact_count }) => [
      name,
      contact_count,
    ]);

  it('has its comments with reactions, tags, shares, pins, history and external id again', async () => {
    const given = await givenRecord(workspace, { reactions: 3 });
    await ada.api.pinContact({ params: { contact_id: given.id } });
    await ada.api.updateContact({ params: { id: given.id }, body: { contact: { headline: 'Analyst' } } });
    const history = async () =>
      (await ada.reader.listHistory({ params: { record_type: 'contacts', record_id: given.id } })).body;
    const shares = async () =>
      (await ada.reader.listShares({ params: { record_type: 'contacts', record_id: given.id } })).body;
    const all = async () => ({
      contact: lasting(await read('contacts', given.id)),
      comments: await comments(ada, given.id),
      shares: await shares(),
      history: await history(),
      counts: await tagCounts(),
    });
    const before = await all();
    await bin('contacts', given.id);
    const count = new Map((await tagCounts()) as [string, number][]);
    expect([...count].filter(([name]) => name.startsWith('Own tag'))).toEqual([[expect.any(String), 0]]);
    await expectConsistent(workspace.table, workspace.account_id);
    await restore(ada, 'contacts', given.id);
    expect(await all()).toEqual(before);
    const { records } = (await ada.reader.listContacts({ query: { external_id: given.draft.external_id } }))
      .body.collection;
    expect(records.map(({ id }) => id)).toEqual([given.id]);
    const pinned = (await ada.reader.listContacts({ query: { slice: 'pinned' } })).body.collection.records;
    expect(pinned.map(({ id }) => id)).toEqual([given.id]);
    await expectConsistent(workspace.table, workspace.account_id);
    await listed('contacts', given.id);
  });

  it('is linked again as it was: tasks, deals with roles, files, milestones, employments and spaces', {
    timeout: 120_000,
  }, async () => {
    const [contact, other] = [await givenContact(ada), await givenContact(ada)];
    const organization = await givenOrganization(ada, { name: 'Linked' });
    const employments = [{ title: 'Pilot', organization: { id: organization.id } }];
    await ada.api.updateContact({ params: { id: contact.id }, body: { contact: { employments } } });
    const space = await givenSpace(ada);
    await join(ada, space.id, { contact_id: contact.id });
    await join(ada, space.id, { organization_id: organization.id });
    const deal = await givenDeal(ada, {
      organization_id: organization.id,
      contacts: [{ id: contact.id, role: 'Buyer' }, { id: other.id }],
    });
    const links = { contact_ids: [contact.id, other.id], organization_ids: [organization.id] };
    const task = await givenTask(ada, { ...links, deal_id: deal.id, space_id: space.id });
    const file = await uploadFile(ada, { ...links, deal_ids: [deal.id], space_ids: [space.id] });
    const milestone = await givenMilestone(ada, { deal_id: deal.id });
    const step = await givenTask(ada, { milestone_id: milestone.id });
    const records: [RestorableType, string][] = [
      ['contacts', contact.id],
      ['organizations', organization.id],
      ['deals', deal.id],
      ['spaces', space.id],
      ['milestones', milestone.id],
      ['tasks', task.id],
      ['files', file.id],
    ];
    const all = async () => {
      const found: unknown[] = [lasting(await read('tasks', step.id))];
      for (const [type, id] of records) {
        const { tasks, ...record } = await read(type, id);
        const own = (tasks as { id: string }[] | undefined)?.map((each) => each.id);
        found.push({ ...lasting(record), tasks: own });
      }
      return found;
    };
    const before = await all();
    for (const one of records) {
      await bin(...one);
      await restore(ada, ...one);
      expect([one[0], await all()]).toEqual([one[0], before]);
    }
    // All at once, in any order, with and without the jobs between.
    const orders: [typeof records, typeof records, boolean][] = cases(
      [[records, records, true]],
      mostly(
        [[records, records.toReversed(), false]],
        [
          [records.toReversed(), records, true],
          [records.toReversed(), records.toReversed(), false],
        ],
      ),
    );
    for (const [out, back, settle] of orders) {
      for (const one of out) await (settle ? bin : gone)(...one);
      for (const one of back) await restore(ada, ...one);
      await runRemovals(workspace);
      expect(await all()).toEqual(before);
    }
    for (const one of records) await listed(...one);
  });

  it('leaves what was put in the place of its links meanwhile', async () => {
    const [deal, other] = [await givenDeal(ada), await givenDeal(ada)];
    const task = await givenTask(ada, { deal_id: deal.id });
    await bin('deals', deal.id);
    await ada.api.updateTask({ params: { id: task.id }, body: { task: { deal_id: other.id } } });
    await restore(ada, 'deals', deal.id);
    expect((await read('tasks', task.id)).deal_id).toBe(other.id);
  });

  it('comes back without links to what is gone for ever, and with those to the heirs of merged contacts', async () => {
    const [lost, merged, heir] = [await givenContact(ada), await givenContact(ada), await givenContact(ada)];
    const task = await givenTask(ada, { contact_ids: [lost.id, merged.id] });
    await bin('contacts', lost.id);
    await purgeAll(workspace);
    const deal = await givenDeal(ada, { contacts: [{ id: merged.id, role: 'Cook' }] });
    await bin('tasks', task.id);
    await bin('deals', deal.id);
    await mergeWhole(workspace, ada, heir.id, merged.id);
    await restore(ada, 'tasks', task.id);
    await restore(ada, 'deals', deal.id);
    expect((await read('tasks', task.id)).contact_ids).toEqual([heir.id]);
    expect((await read('deals', deal.id)).contacts).toMatchObject([{ id: heir.id, role: 'Cook' }]);
  });

  it('409 and nothing changed when another record has its names by now; free again, it comes back', async () => {
    const draft = { external_id: 'crm-9', email_addresses: [{ email_address: 'taken@bin.example' }] };
    const cases: [RestorableType, object, object, string][] = [
      ['contacts', draft, { external_id: 'crm-9' }, 'external_id_taken'],
      [
        'contacts',
        { ...draft, external_id: 'crm-10' },
        { email_addresses: draft.email_addresses },
        'email_address_taken',
      ],
      ['organizations', { domains: ['taken.example'] }, { domains: ['taken.example'] }, 'domain_taken'],
      ['deals', { external_id: 'd-1' }, { external_id: 'd-1' }, 'external_id_taken'],
      ['tasks', { external_id: 't-1' }, { external_id: 't-1' }, 'external_id_taken'],
      ['deals', { custom_fields: { no: 'd-2' } }, { custom_fields: { no: 'd-2' } }, 'custom_field_taken'],
    ];
    await givenField(ada, 'no', { record_type: 'deals', unique: true });
    for (const [type, mine, other, code] of cases) {
      const { id } = await makers[type](workspace, ada, mine);
      await bin(type, id);
      const taken = await makers[type](workspace, ada, other);
      const failure = await failureOf(restore(ada, type, id));
      expect([failure.status, failure.code, Object.values(failure.fields)[0]?.code]).toEqual([
        409,
        code,
        'taken',
      ]);
      expect(await codeOf(retrieve[type](ada, id) as never)).toBe('404 record_not_found');
      await bin(type, taken.id);
      expect((await restore(ada, type, id)).status).toBe(200);
      await bin(type, id);
      await restore(ada, type, taken.id);
      await bin(type, taken.id);
    }
  });

  it('has a replaced tag instead of one that was deleted meanwhile, and lost one without replacement', async () => {
    const { id } = await givenContact(ada);
    const [old, lost, kept] = [
      await tag(ada, id, 'Old'),
      await tag(ada, id, 'Lost'),
      await tag(ada, id, 'Kept'),
    ];
    await bin('contacts', id);
    const by = (await ada.api.createTag({ body: { tag: { name: 'New' } } })).body.tag.id;
    await ada.api.deleteTag({ params: { id: old }, body: { replacement_tag_id: by } });
    await ada.api.deleteTag({ params: { id: lost }, body: {} });
    await runCleanUps(workspace);
    await expectConsistent(workspace.table, workspace.account_id);
    await restore(ada, 'contacts', id);
    const { tags } = (await read('contacts', id)) as { tags: { id: string }[] };
    expect(tags.map((each) => each.id).sort()).toEqual([by, kept].sort());
    await expectConsistent(workspace.table, workspace.account_id);
    await listed('contacts', id);
  });

  it('is for the members of its groups, as they are then; without groups that are gone', async () => {
    const [group, ended] = [await givenGroup(ada, []), await givenGroup(ada, [])];
    const { id } = await givenContact(ada, { visibility: 'private' });
    for (const { id: group_id } of [group, ended])
      await ada.api.createShare({
        params: { record_type: 'contacts', record_id: id },
        body: { share: { group_id } },
      });
    await bin('contacts', id);
    await ada.api.deleteGroup({ params: { id: ended.id } });
    await ada.api.createMembership({ params: { group_id: group.id }, body: { user_id: grace.user.id } });
    expect(await deletedIds(grace, 'contacts')).not.toContain(id);
    await restore(ada, 'contacts', id);
    expect(((await read('contacts', id, grace)).shares as object[]).length).toBe(1);
    await listed('contacts', id);
  });

  it('a deal whose stage is gone comes into the first open one', async () => {
    const draft = { name: 'Short-lived', stages: [{ name: 'A' }, { name: 'B' }, { name: 'C' }] };
    const { pipeline } = (await ada.api.createPipeline({ body: { pipeline: draft as never } })).body;
    const [a, b] = pipeline.stages;
    const deal = await givenDeal(ada, { pipeline_id: pipeline.id, stage_id: b!.id });
    await bin('deals', deal.id);
    await ada.api.deleteStage({ params: { pipeline_id: pipeline.id, id: b!.id }, body: {} });
    await restore(ada, 'deals', deal.id);
    expect(await read('deals', deal.id)).toMatchObject({ stage_id: a!.id, status: 'open' });
    await bin('deals', deal.id);
    await ada.api.deletePipeline({ params: { id: pipeline.id } });
    await restore(ada, 'deals', deal.id);
    expect((await read('deals', deal.id)).pipeline_id).not.toBe(pipeline.id);
    await listed('deals', deal.id);
  });

  it('a won or lost deal whose stage is gone stays so, and any comes into what replaced its stage', async () => {
    const stages = [
      { name: 'A' },
      { name: 'B' },
      { name: 'C' },
      { name: 'Signed', kind: 'won' },
      { name: 'Paid', kind: 'won' },
      { name: 'Off', kind: 'lost' },
    ];
    const { pipeline } = (
      await ada.api.createPipeline({ body: { pipeline: { name: 'Outcomes', stages: stages as never } } })
    ).body;
    const at = (name: string) => pipeline.stages.find((each) => each.name === name)!.id;
    const end = (name: string, by?: string) =>
      ada.api.deleteStage({
        params: { pipeline_id: pipeline.id, id: at(name) },
        body: by ? { replacement_stage_id: at(by) } : {},
      });
    const rested = async (name: string) => {
      const deal = await givenDeal(ada, { pipeline_id: pipeline.id, stage_id: at(name) });
      await bin('deals', deal.id);
      return deal;
    };
    const [signed, off, a] = [await rested('Signed'), await rested('Off'), await rested('A')];
    await end('Signed');
    await end('Off');
    // With a deal that moves, and then without any.
    const moved = await givenDeal(ada, { pipeline_id: pipeline.id, stage_id: at('A') });
    await end('A', 'B');
    await runMoves(workspace);
    await ada.api.updateDeal({ params: { id: moved.id }, body: { deal: { stage_id: at('Paid') } } });
    await end('B', 'C');
    for (const { id } of [signed, off, a]) await restore(ada, 'deals', id);
    const { closed_at } = signed;
    expect(await read('deals', signed.id)).toMatchObject({ stage_id: at('Paid'), status: 'won', closed_at });
    const lost = await read('deals', off.id);
    expect(lost).toMatchObject({ status: 'lost', closed_at: off.closed_at });
    expect(lost.pipeline_id).not.toBe(pipeline.id);
    expect(await read('deals', a.id)).toMatchObject({ stage_id: at('C'), status: 'open' });
    for (const { id } of [signed, off, a]) await listed('deals', id);
  });

  it('is there as a whole, or not at all, whichever call of deletion and return fails', {
    timeout: 600_000,
  }, async () => {
    const faults = [
      (call: number) => failCall(workspace.table, call, 'before'),
      (call: number) => failCall(workspace.table, call, 'after'),
      (call: number) => crashAfter(workspace.table, call),
    ];
    let minutes = 0;
    for (const fail of faults)
      for (let call = 1, reached = true; reached; call += STRIDE) {
        // No key is used more often in a minute than it may be.
        workspace.setTime(new Date(Date.now() + ++minutes * 60_000));
        const organization = await givenOrganization(ada, { name: `Fault ${call}` });
        const contact = await givenContact(ada, {
          employments: [{ title: 'Pilot', organization: { id: organization.id } }],
        });
        await tag(ada, contact.id, 'Fault');
        await comment(ada, contact.id);
        const task = await givenTask(ada, { contact_ids: [contact.id], organization_ids: [organization.id] });
        const all = async () => [
          { ...lasting(await read('contacts', contact.id)), tasks: null },
          (await read('tasks', task.id)).contact_ids,
          (await read('organizations', organization.id)).contact_count,
        ];
        const before = await all();
        const fault = fail(call);
        await gone('contacts', contact.id).catch(() => undefined);
        await runRemovals(workspace).catch(() => undefined);
        await restore(ada, 'contacts', contact.id).catch(() => undefined);
        reached = fault.hit;
        fault.remove();
        await runRemovals(workspace);
        await restore(ada, 'contacts', contact.id);
        await runRemovals(workspace);
        expect([call, await all()]).toEqual([call, before]);
        await listed('contacts', contact.id);
        expect(await openJobs(workspace.table, 'remove-records')).toEqual([]);
      }
    workspace.setTime(undefined);
    await expectConsistent(workspace.table, workspace.account_id);
  });

  it.each(['restored', 'deleted again', 'purged'])('%s while the job of the other runs', async (what) => {
    const contact = await givenContact(ada);
    await tag(ada, contact.id, 'Raced');
    const task = await givenTask(ada, { contact_ids: [contact.id] });
    if (what === 'restored') {
      await gone('contacts', contact.id);
      const fault = meanwhile(
        workspace.table,
        'TransactWriteItemsCommand',
        () => restore(ada, 'contacts', contact.id),
        2,
      );
      await runRemovals(workspace);
      fault.remove();
    } else {
      await bin('contacts', contact.id);
      const then = what === 'purged' ? () => purgeAll(workspace) : () => bin('contacts', contact.id);
      const fault = meanwhile(workspace.table, 'TransactWriteItemsCommand', then, what === 'purged' ? 1 : 2);
      await restore(ada, 'contacts', contact.id).catch(() => undefined);
      fault.remove();
      expect(fault.hit).toBe(true);
    }
    await runRemovals(workspace);
    await expectConsistent(workspace.table, workspace.account_id);
    if (what === 'purged') {
      expect(await codeOf(restore(ada, 'contacts', contact.id))).toBe('404 record_not_found');
      expect((await read('tasks', task.id)).contact_ids).toEqual([]);
      return;
    }
    await restore(ada, 'contacts', contact.id);
    expect((await read('tasks', task.id)).contact_ids).toEqual([contact.id]);
    await listed('contacts', contact.id);
    await listed('tasks', task.id);
    await expectConsistent(workspace.table, workspace.account_id);
  });

  it('is in the lists of who joins its group at that moment', async () => {
    const { linus } = workspace;
    const group = await givenGroup(ada, [grace]);
    const { id } = await givenContact(ada, { visibility: 'private' });
    const params = { record_type: 'contacts' as const, record_id: id };
    await ada.api.createShare({ params, body: { share: { group_id: group.id } } });
    await bin('contacts', id);
    const join = meanwhile(workspace.table, 'TransactWriteItemsCommand', () =>
      ada.api.createMembership({ params: { group_id: group.id }, body: { user_id: linus.user.id } }),
    );
    await restore(ada, 'contacts', id);
    join.remove();
    expect(join.hit).toBe(true);
    const found = (await linus.reader.listContacts()).body.collection.records;
    expect(found.map((contact) => contact.id)).toContain(id);
    await listed('contacts', id);
  });
});
