import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Proposal } from '#shared/domain/assistant/proposals/proposal.ts';
import { keys } from '#shared/table/keys.ts';
import { meanwhile } from '../../../support/faults.ts';
import { longIt } from '../../../support/long.ts';
import { expectMoved, itemOf, merge } from '../../../support/merged-records.ts';
import { givenContact } from '../../../support/proposals.ts';
import {
  comments,
  deleteAs,
  type GivenRecord,
  givenRecord,
  givenShare,
  leftOf,
  purgeAll,
  runRemovals,
  tag,
} from '../../../support/removed-records.ts';
import { expectConsistent } from '../../../support/tags.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** A merged record takes its dependents along: here contacts, by the mechanism itself. */
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

  const sharesOf = async (id: string) =>
    Object.values((await itemOf(workspace, id))?.shares ?? {})
      .map(({ user_id, group_id, access }) => ({ target: user_id ?? group_id, access }))
      .sort((a, b) => ((a.target as string) < (b.target as string) ? -1 : 1));
  it('moves comments, tags and shares; what both have is there once, with the wider access', async () => {
    const { linus, grace, table } = workspace;
    await tag(ada, into, 'Shared tag');
    await givenShare(workspace, into, { user_id: linus.user.id, group_id: null });
    await givenShare(workspace, from.id, { user_id: linus.user.id, group_id: null }, 'edit');
    await givenShare(workspace, into, { user_id: grace.user.id, group_id: null }, 'edit');
    const before = await comments(ada, from.id);
    await merge(workspace, from.id, into);
    await runRemovals(workspace);
    await expectMoved(workspace, from, into, before);
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

  longIt('continues to the record into which the other one was merged meanwhile', async () => {
    const before = await comments(ada, from.id);
    const middle = into;
    into = (await givenContact(ada)).id;
    await merge(workspace, from.id, middle);
    const fault = meanwhile(workspace.table, 'TransactWriteItemsCommand', () =>
      merge(workspace, middle, into),
    );
    await runRemovals(workspace);
    fault.remove();
    await runRemovals(workspace);
    await expectMoved(workspace, from, into, before);
  });

  it('is removed when the other one is deleted, with its open proposals', async () => {
    await merge(workspace, from.id, into);
    await runRemovals(workspace);
    await deleteAs(workspace, ada, into);
    await purgeAll(workspace);
    expect((await leftOf(workspace, from)).map((key) => key.split(' ')[1])).toEqual(['META']);
    expect(await workspace.table.all(keys.record('contacts', into).PK)).toEqual([]);
    const open = from.open.map(({ id }) => keys.proposal(id));
    expect(await workspace.table.getMany<Proposal>(open)).toEqual([]);
    await expectConsistent(workspace.table, workspace.account_id);
  });
});
