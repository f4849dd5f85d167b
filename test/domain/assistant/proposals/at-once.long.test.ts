import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenComment } from '../../../support/comments.ts';
import { rounds } from '../../../support/long.ts';
import {
  accept,
  givenProposal,
  givenTagging,
  givenUpdate,
  readContact,
  readProposal,
  reject,
  tagNames,
  toldOf,
  undo,
} from '../../../support/proposals.ts';
import { expectConsistent } from '../../../support/tags.ts';
import { givenThread } from '../../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

describe('proposals that several users answer at once', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());

  const shared = async () => {
    const thread = await givenThread(workspace, { users: [ada, grace] });
    const source = { type: 'comment', id: (await givenComment(ada, thread)).id };
    return givenUpdate(workspace, ada, { source });
  };
  const outcomes = async (calls: Promise<unknown>[]) =>
    (await Promise.allSettled(calls)).map((each) =>
      each.status === 'fulfilled' ? '200' : `${each.reason.status} ${each.reason.code}`,
    );
  const ANSWERED = '409 proposal_already_answered';

  it('accepted twenty times: one 200, the others 409, and one notification', async () => {
    const { contact, proposal } = await shared();
    const users = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? grace : ada));
    const found = await outcomes(users.map((user) => accept(user, proposal.id)));
    expect(found.sort()).toEqual(['200', ...Array(19).fill(ANSWERED)]);
    const { resolved_by_user_id } = await readProposal(ada, proposal.id);
    const told = (await toldOf(ada, proposal)).map(({ event }) => event);
    expect(told).toEqual([
      ...(resolved_by_user_id === grace.user.id ? ['proposal_applied'] : []),
      'proposal_created',
    ]);
    expect((await readContact(ada, contact.id)).headline).toBe('Analyst');
  });

  it('accepted and rejected at once: one succeeds, and the record matches the status', async () => {
    for (let round = 0; round < rounds(2, 8); round++) {
      const { contact, proposal } = await givenTagging(workspace, ada, `Round ${round}`);
      const calls = [accept(ada, proposal.id), reject(ada, proposal.id)];
      expect((await outcomes(round % 2 === 0 ? calls : calls.reverse())).sort()).toEqual(['200', ANSWERED]);
      const { status } = await readProposal(ada, proposal.id);
      const carried = tagNames(await readContact(ada, contact.id));
      expect([status, carried]).toEqual(
        status === 'applied' ? ['applied', [`Round ${round}`]] : ['rejected', []],
      );
    }
    await expectConsistent(workspace.table, workspace.account_id);
  });

  it('accepted and undone at once: the record matches the status', async () => {
    for (let round = 0; round < rounds(2, 8); round++) {
      const { contact, proposal } = await givenUpdate(workspace, ada);
      const found = await outcomes([
        accept(ada, proposal.id),
        undo(ada, proposal.id),
        undo(ada, proposal.id),
      ]);
      expect(found[0]).toBe('200');
      expect(found.slice(1).filter((each) => each === '200').length).toBeLessThanOrEqual(1);
      const { status } = await readProposal(ada, proposal.id);
      expect(status).toBe(found.slice(1).includes('200') ? 'undone' : 'applied');
      const { headline } = await readContact(ada, contact.id);
      expect(headline).toBe(status === 'applied' ? 'Analyst' : 'Clerk');
    }
  });

  it('two proposals for one contact: one is applied, the other is stale, and then applied', async () => {
    const { contact, proposal } = await givenUpdate(workspace, ada);
    const params = { record_id: contact.id, nickname: 'Bo' };
    const other = await givenProposal(workspace, ada, { action_type: 'contact.update', params });
    const ids = [proposal.id, other.id];
    const found = await outcomes(ids.map((id) => accept(ada, id)));
    expect(found.toSorted()).toEqual(['200', '409 proposal_stale']);
    await accept(ada, ids[found.indexOf('409 proposal_stale')] as string);
    expect(await readContact(ada, contact.id)).toMatchObject({ headline: 'Analyst', nickname: 'Bo' });
  });

  it('the same new tag proposed for ten records: one tag, on all of them', async () => {
    const given = [];
    for (let i = 0; i < 10; i++) given.push(await givenTagging(workspace, ada, i % 2 ? 'Common' : 'COMMON'));
    const applied = await Promise.all(given.map(({ proposal }) => accept(ada, proposal.id)));
    expect(new Set(applied.map(({ tag_id }) => tag_id)).size).toBe(1);
    const { tag } = (await ada.reader.retrieveTag({ params: { id: applied[0]?.tag_id as string } })).body;
    expect(tag.contact_count).toBe(10);
    await expectConsistent(workspace.table, workspace.account_id);
  });
});
