import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { keys } from '#shared/table/keys.ts';
import { meanwhile } from '../../../support/faults.ts';
import { openJobs } from '../../../support/jobs.ts';
import { longIt } from '../../../support/long.ts';
import { givenContact, givenProposal, readProposal } from '../../../support/proposals.ts';
import {
  afterDays,
  comment,
  comments,
  deleteAs,
  type GivenRecord,
  givenRecord,
  leftOf,
  proposeHeadline,
  purgeAll,
  runRemovals,
  tag,
} from '../../../support/removed-records.ts';
import { expectConsistent } from '../../../support/tags.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** The deletion of a record, with all dependents and with concurrent requests. */
describe('a record that is deleted', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let given: GivenRecord;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());

  const retrieve = (user = ada) => user.reader.retrieveContact({ params: { id: given.id } });
  const notFound = { code: 'record_not_found' };
  const counts = async () => {
    const { records } = (await ada.reader.listTags()).body.collection;
    return given.tag_ids.map((id) => records.find((each) => each.id === id)?.contact_count);
  };

  /** Also of what it kept while it could be restored. */
  async function expectGone(): Promise<void> {
    await expectConsistent(workspace.table, workspace.account_id);
    await purgeAll(workspace);
    expect(await leftOf(workspace, given)).toEqual([]);
    expect(await openJobs(workspace.table, 'remove-records')).toEqual([]);
    await expectConsistent(workspace.table, workspace.account_id);
  }

  describe('at once', () => {
    let other: string;
    let told: number;
    const notifications = async () =>
      (await ada.reader.listNotifications({ query: { limit: 100 } })).body.collection.records.filter(
        ({ payload }) => payload?.id === given.id,
      ).length;

    beforeAll(async () => {
      other = (await givenContact(ada)).id;
      await tag(ada, other, 'Shared tag');
      await comment(grace, other);
      given = await givenRecord(workspace);
      told = await notifications();
      await deleteAs(workspace, ada, given.id);
    });

    it('is found by nobody, in no list and by none of its addresses', async () => {
      await expect(retrieve()).rejects.toMatchObject(notFound);
      await expect(comments(ada, given.id)).rejects.toMatchObject(notFound);
      const listed = (await ada.reader.listContacts()).body.collection.records;
      expect(listed.map(({ id }) => id)).not.toContain(given.id);
      expect((await givenContact(grace, given.draft)).email_addresses).toMatchObject([
        { email_address: given.address },
      ]);
    });

    it('takes no comment, reaction, tag and proposal', async () => {
      const params = { comment_id: given.comment_ids[0] as string };
      for (const write of [
        () => comment(grace, given.id),
        () => grace.api.addReaction({ params, body: { reaction: { text: 'late' } } }),
        () => tag(grace, given.id, 'Late'),
        () => proposeHeadline(workspace, grace, given.id),
        () => deleteAs(workspace, grace, given.id),
      ])
        await expect(write()).rejects.toMatchObject(notFound);
    });

    it('leaves nothing after its job, and does not touch other records', async () => {
      await runRemovals(workspace);
      await expectGone();
      expect(await counts()).toEqual([1, 0]);
      expect(await comments(ada, other)).toHaveLength(1);
    });

    it('leaves answered proposals and notifications as they are', async () => {
      expect(await readProposal(ada, given.rejected.id)).toMatchObject({ status: 'rejected' });
      expect(told).toBeGreaterThan(0);
      expect(await notifications()).toBe(told);
      for (const { id } of given.open) await expect(readProposal(ada, id)).rejects.toMatchObject(notFound);
    });
  });

  longIt('keeps a proposal that has expired', async () => {
    given = await givenRecord(workspace, { reactions: 1 });
    workspace.setTime(new Date(Date.now() + 31 * 86_400_000));
    await deleteAs(workspace, ada, given.id);
    await runRemovals(workspace);
    expect(await readProposal(ada, given.open[0]?.id as string)).toMatchObject({ status: 'expired' });
    for (const days of [62, 160]) await afterDays(workspace, days);
    expect((await leftOf(workspace, given)).filter((key) => !/^PROPOSAL#|#proposals:/.test(key))).toEqual([]);
  });

  describe('with concurrent requests', () => {
    beforeEach(async () => {
      given = await givenRecord(workspace, { reactions: 3 });
    });

    it('is deleted once by several requests, and removed by several workers', async () => {
      const done = await Promise.allSettled([1, 2, 3].map(() => deleteAs(workspace, ada, given.id)));
      expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await Promise.all([1, 2, 3].map(() => runRemovals(workspace)));
      await runRemovals(workspace);
      await expectGone();
    });

    longIt('continues where the time was up', async () => {
      await deleteAs(workspace, ada, given.id);
      await runRemovals(workspace);
      await afterDays(workspace, 31, () => true);
      const sizes: number[] = [];
      for (let run = 0; (await openJobs(workspace.table, 'remove-records')).length > 0; run++) {
        expect(run).toBeLessThan(20);
        await runRemovals(workspace, () => true);
        sizes.push((await leftOf(workspace, given)).length);
      }
      expect(sizes.toSorted((a, b) => b - a)).toEqual(sizes);
      expect(sizes.length).toBeGreaterThan(3);
      await expectGone();
    });

    longIt('takes along concurrent additions, removals and changes', async () => {
      const params = { comment_id: given.comment_ids[0] as string };
      const writers = [
        ...Array.from({ length: 6 }, () => () => comment(grace, given.id)),
        ...['One', 'Two', 'Three'].map((name) => () => tag(grace, given.id, name)),
        ...Array.from(
          { length: 4 },
          () => () => grace.api.addReaction({ params, body: { reaction: { text: 'x' } } }),
        ),
        () => proposeHeadline(workspace, grace, given.id),
        () => grace.api.deleteComment({ params: { id: given.comment_ids[0] as string } }),
        () =>
          ada.api.removeTag({
            params: { record_type: 'contacts', record_id: given.id, tag_id: given.tag_ids[0] as string },
          }),
        () => ada.api.acceptProposal({ params: { proposal_id: given.open[0]?.id as string }, body: {} }),
      ];
      const all = writers.map((write) => write());
      const removing = deleteAs(workspace, ada, given.id).then(() => runRemovals(workspace));
      await Promise.allSettled(all);
      await removing;
      await purgeAll(workspace);
      // An accepted proposal is history.
      const left = (await leftOf(workspace, given)).filter((key) => !key.startsWith('PROPOSAL#'));
      expect(left).toEqual([]);
      await expectConsistent(workspace.table, workspace.account_id);
    });

    longIt.each<[string, () => Promise<unknown>]>([
      ['a comment', () => comment(grace, given.id)],
      ['a tag', () => tag(grace, given.id, 'Last moment')],
      ['a proposal', () => proposeHeadline(workspace, grace, given.id)],
    ])('refuses %s whose record is deleted between its reads and its write', async (_what, write) => {
      const fault = meanwhile(workspace.table, 'TransactWriteItemsCommand', async () => {
        await deleteAs(workspace, ada, given.id);
        await runRemovals(workspace);
      });
      await expect(write()).rejects.toMatchObject(notFound);
      fault.remove();
      expect(fault.hit).toBe(true);
      await expectGone();
    });

    longIt('keeps a reaction that comes between its reads and its write, with its comment', async () => {
      const fault = meanwhile(workspace.table, 'TransactWriteItemsCommand', async () => {
        await deleteAs(workspace, ada, given.id);
        await runRemovals(workspace);
      });
      const params = { comment_id: given.comment_ids[0] as string };
      await grace.api.addReaction({ params, body: { reaction: { text: 'last' } } });
      fault.remove();
      expect(fault.hit).toBe(true);
      await expectGone();
    });

    longIt('is not brought back by a change that was planned before', async () => {
      const fault = meanwhile(workspace.table, 'TransactWriteItemsCommand', () =>
        deleteAs(workspace, ada, given.id),
      );
      const accepting = ada.api.acceptProposal({
        params: { proposal_id: given.open[0]?.id as string },
        body: {},
      });
      await expect(accepting).rejects.toMatchObject(notFound);
      fault.remove();
      const item = await workspace.table.get<Contact>(keys.record('contacts', given.id));
      expect(item?.list).toBeUndefined();
      await runRemovals(workspace);
      await expectConsistent(workspace.table, workspace.account_id);
    });
  });

  longIt('is the same for a new contact whose proposal is undone', async () => {
    const other = await givenContact(ada);
    const params = { name: 'Brief', external_id: 'brief' };
    const { id } = await givenProposal(workspace, ada, { action_type: 'contact.create', params });
    const { proposal } = (await ada.api.acceptProposal({ params: { proposal_id: id }, body: {} })).body;
    await ada.api.undoProposal({ params: { proposal_id: id } });
    const { PK } = keys.record('contacts', proposal.applied_record_id as string);
    expect(
      await workspace.table.get(keys.record('contacts', proposal.applied_record_id as string)),
    ).toMatchObject({
      deleting: true,
    });
    await purgeAll(workspace);
    expect(await workspace.table.all(PK)).toEqual([]);
    expect((await ada.reader.retrieveContact({ params: { id: other.id } })).status).toBe(200);
  });
});
