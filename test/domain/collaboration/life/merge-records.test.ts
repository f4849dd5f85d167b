import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Proposal } from '#shared/domain/assistant/proposals/proposal.ts';
import { mergeWrites, removalOf } from '#shared/domain/collaboration/life/end.ts';
import type { StoredShare } from '#shared/domain/collaboration/shares/share.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { crashAfter, meanwhile } from '../../../support/faults.ts';
import { openJobs } from '../../../support/jobs.ts';
import { givenContact } from '../../../support/proposals.ts';
import {
  comments,
  contactRef,
  deleteAs,
  type GivenRecord,
  givenRecord,
  givenShare,
  leftOf,
  runRemovals,
  tag,
} from '../../../support/removed-records.ts';
import { expectConsistent } from '../../../support/tags.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** A record that becomes part of another one takes along what it has: as contacts, by the mechanism itself. */
describe('a record that is merged into another one', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let from: GivenRecord;
  let into: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada } = workspace);
  });
  afterAll(() => workspace.stop());
  beforeEach(async () => {
    from = await givenRecord(workspace, { reactions: 60 });
    into = (await givenContact(ada)).id;
  });

  const merge = (id: string, other: string) =>
    workspace.table.transact([
      ...mergeWrites(contactRef(id), other),
      enqueue(removalOf(contactRef(id), new Date())),
    ]);
  const itemOf = (id: string) =>
    workspace.table.get<{ tag_ids?: Set<string>; shares?: Record<string, StoredShare>; merging?: boolean }>(
      keys.record('contacts', id),
    );
  const sharesOf = async (id: string) =>
    Object.values((await itemOf(id))?.shares ?? {})
      .map(({ user_id, group_id, access }) => ({ target: user_id ?? group_id, access }))
      .sort((a, b) => ((a.target as string) < (b.target as string) ? -1 : 1));
  const asMoved = (before: Awaited<ReturnType<typeof comments>>) =>
    before.map((comment) => ({ ...comment, contact_id: into }));

  async function expectMoved(before: Awaited<ReturnType<typeof comments>>): Promise<void> {
    expect(await comments(ada, into)).toEqual(asMoved(before));
    expect([...((await itemOf(into))?.tag_ids ?? [])].sort()).toEqual(from.tag_ids.toSorted());
    const left = await workspace.table.all(keys.record('contacts', from.id).PK);
    expect(left.map(({ SK }) => SK)).toEqual(['META']);
    expect(left[0]).not.toHaveProperty('merging');
    expect(left[0]).not.toHaveProperty('tag_ids');
    expect(await openJobs(workspace.table, 'remove-records')).toEqual([]);
    await expectConsistent(workspace.table, workspace.account_id);
  }

  it('has its comments, tags and shares there; what both have is there once, with the wider access', async () => {
    const { linus, grace, table } = workspace;
    await tag(ada, into, 'Shared tag');
    await givenShare(workspace, into, { user_id: linus.user.id, group_id: null });
    await givenShare(workspace, from.id, { user_id: linus.user.id, group_id: null }, 'edit');
    await givenShare(workspace, into, { user_id: grace.user.id, group_id: null }, 'edit');
    const before = await comments(ada, from.id);
    await merge(from.id, into);
    await runRemovals(workspace);
    await expectMoved(before);
    const expected = [
      { target: linus.user.id, access: 'edit' },
      { target: grace.user.id, access: 'edit' },
      { target: from.group_id, access: 'view' },
    ];
    expect(await sharesOf(into)).toEqual(expected.sort((a, b) => (a.target < b.target ? -1 : 1)));
    expect(await sharesOf(from.id)).toEqual([]);
    const rows = [from.id, into].map((id) => keys.groupShare(from.group_id, 'contacts', id));
    expect((await table.getMany(rows)).map(({ SK }) => SK)).toEqual([rows[1]?.SK]);
  });

  it('has them there wherever its worker ends', { timeout: 120_000 }, async () => {
    for (let call = 1, reached = true; reached; call++) {
      from = await givenRecord(workspace, { reactions: 2 });
      into = (await givenContact(ada)).id;
      workspace.setTime(new Date(Date.now() + call * 3_600_000));
      const before = await comments(ada, from.id);
      await merge(from.id, into);
      const crash = crashAfter(workspace.table, call);
      await runRemovals(workspace).catch(() => undefined);
      crash.remove();
      reached = crash.hit;
      await runRemovals(workspace);
      await expectMoved(before);
    }
    workspace.setTime(undefined);
  });

  it('goes on to where the other one has been merged meanwhile', async () => {
    const before = await comments(ada, from.id);
    const middle = into;
    into = (await givenContact(ada)).id;
    await merge(from.id, middle);
    const fault = meanwhile(workspace.table, 'TransactWriteItemsCommand', () => merge(middle, into));
    await runRemovals(workspace);
    fault.remove();
    await runRemovals(workspace);
    await expectMoved(before);
  });

  it('goes when the other one is deleted, with its open proposals', async () => {
    await merge(from.id, into);
    await runRemovals(workspace);
    await deleteAs(workspace, ada, into);
    await runRemovals(workspace);
    expect((await leftOf(workspace, from)).map((key) => key.split(' ')[1])).toEqual(['META']);
    expect(await workspace.table.all(keys.record('contacts', into).PK)).toEqual([]);
    const open = from.open.map(({ id }) => keys.proposal(id));
    expect(await workspace.table.getMany<Proposal>(open)).toEqual([]);
    await expectConsistent(workspace.table, workspace.account_id);
  });
});
