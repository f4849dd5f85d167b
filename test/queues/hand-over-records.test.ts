import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendGivenUp } from '#shared/domain/platform/jobs/given-up.ts';
import { handler as sweep } from '../../functions/queues/sweep-jobs.ts';
import { givenAccount } from '../support/accounts.ts';
import { dealOf, givenDeal } from '../support/deals.ts';
import { mergeInto, mergeWhole, unmergeWhole } from '../support/duplicates.ts';
import { codeOf } from '../support/failures.ts';
import { crashAfter } from '../support/faults.ts';
import { givenFile } from '../support/files.ts';
import { openJobs, sentTooOften } from '../support/jobs.ts';
import { runHandOvers } from '../support/leaving.ts';
import { linesOf, logged } from '../support/logged.ts';
import { long, longIt, STRIDE } from '../support/long.ts';
import { eml, givenMailbox, importMail } from '../support/mail.ts';
import { storedNotifications } from '../support/notifications.ts';
import { accept, givenContact, givenProposal, readContact, undo } from '../support/proposals.ts';
import { mostReadTogether } from '../support/read-together.ts';
import { runRemovals } from '../support/removed-records.ts';
import { givenSession } from '../support/sessions.ts';
import { asked, givenHidden, received, sent, thread } from '../support/share-requests.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** What a user had who left; no queue runs here. */
describe('queue hand-over-records', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let leaver: TestUser;
  let heir: TestUser;
  let other: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true, files: true });
  });
  beforeEach(async () => {
    [owner, leaver, heir, other] = (await givenAccount(workspace, 4)) as [
      TestUser,
      TestUser,
      TestUser,
      TestUser,
    ];
  });
  afterAll(() => workspace.stop());

  const leave = (to?: TestUser) =>
    owner.session.deleteUser({
      params: { id: leaver.user.id },
      body: { replacement_user_id: to?.user.id ?? null },
    });

  longIt(
    'requests for access: who takes over answers them, and those of who left are withdrawn',
    async () => {
      const [theirs, own] = [
        await givenHidden(workspace, leaver, 'Theirs'),
        await givenHidden(workspace, other, 'Own'),
      ];
      const id = await asked(other, thread(theirs.thread_id));
      const of_heir = await asked(heir, thread(theirs.thread_id));
      const of_leaver = await asked(leaver, thread(own.thread_id));
      await leave(heir);
      await runHandOvers(workspace);
      expect(await received(other, 'all')).toMatchObject([{ id: of_leaver, status: 'withdrawn' }]);
      expect(await sent(heir, 'all')).toMatchObject([{ id: of_heir, status: 'withdrawn' }]);
      expect(await received(heir)).toMatchObject([{ id, approver_user_ids: [heir.user.id] }]);
      await heir.api.approveShareRequest({ params: { share_request_id: id }, body: {} });
      const { body } = await other.reader.retrieveThread({ params: { id: theirs.thread_id } });
      expect(body.thread.subject).toBe('Theirs');
    },
  );

  it('what was sent too often is named for operators, who have it sent again', async () => {
    const { id } = (await leaver.api.createContact({ body: { contact: { name: 'Priya' } } })).body.contact;
    await leave(heir);
    await sentTooOften(workspace.table, 'hand-over-records');
    for (let minute = 0; minute < 2; minute++) {
      const written = await logged(() => expect(sweep()).rejects.toThrow('1 jobs are given up'));
      const [job] = await openJobs(workspace.table, 'hand-over-records');
      expect(linesOf(written, 'jobs given up')).toMatchObject([
        { level: 'ERROR', count: 1, jobs: [{ job_id: job?.id, queue: 'hand-over-records' }] },
      ]);
    }
    expect(await sendGivenUp(workspace.table, new Date())).toHaveLength(1);
    await sweep();
    expect(await openJobs(workspace.table, 'hand-over-records')).toMatchObject([{ sends: 1 }]);
    await runHandOvers(workspace);
    expect((await readContact(heir, id)).user_id).toBe(heir.user.id);
    expect(await sendGivenUp(workspace.table, new Date())).toEqual([]);
    await sweep();
  });

  /** Jobs of users who left, and of lists that follow. */
  const left = async () =>
    (await openJobs(workspace.table)).filter(({ queue }) => queue !== 'remove-records');

  /** One of each family, seen by everybody or not. */
  async function givenRecords(user: TestUser, visibility: 'account' | 'private') {
    const { api } = user;
    const common = { visibility };
    return {
      contact: (await api.createContact({ body: { contact: { name: 'A contact', ...common } } })).body
        .contact,
      organization: (
        await api.createOrganization({
          body: { organization: { name: `An ${visibility} organization`, ...common } },
        })
      ).body.organization,
      deal: (await api.createDeal({ body: { deal: { name: 'A deal', ...common } } })).body.deal,
      task: (await api.createTask({ body: { task: { name: 'A task', ...common } } })).body.task,
      milestone: (await api.createMilestone({ body: { milestone: { name: 'A milestone', ...common } } })).body
        .milestone,
      space: (await api.createSpace({ body: { space: { name: 'A space', kind: 'records', ...common } } }))
        .body.space,
      file: await givenFile(workspace, user, common),
    };
  }
  /** What the user owns or works on, as the lists of the user say. */
  async function heldBy({ reader, user }: TestUser) {
    const slice = 'mine' as const;
    const contacts = (await reader.listContacts({ query: { slice } })).body.collection.records;
    const organizations = (await reader.listOrganizations({ query: { slice } })).body.collection.records;
    const deals = (await reader.listDeals({ query: { slice } })).body.collection;
    const created = (await reader.listTasks({ query: { slice: 'created' } })).body.collection.records;
    const assigned = (await reader.listTasks({ query: { slice: 'assigned' } })).body.collection.records;
    const files = (await reader.listFiles({ query: { slice } })).body.collection.records;
    const milestones = (await reader.listMilestones()).body.collection.records;
    const spaces = (await reader.listSpaces()).body.collection.records;
    const own = (records: { id: string; user_id: string | null }[]) =>
      records.filter(({ user_id }) => user_id === user.id).map(({ id }) => id);
    expect(deals.total_results).toBe(deals.records.length);
    return [contacts, organizations, deals.records, created, files, milestones, spaces]
      .flatMap(own)
      .concat(assigned.map(({ id }) => `assigned ${id}`))
      .sort();
  }
  const idsOf = (...all: Awaited<ReturnType<typeof givenRecords>>[]) =>
    all.flatMap((records) => [...Object.values(records).map(({ id }) => id), `assigned ${records.task.id}`]);

  longIt(
    'records of each family go to the replacement, private ones too, and lists follow exactly',
    async () => {
      const [open, hidden] = [await givenRecords(leaver, 'account'), await givenRecords(leaver, 'private')];
      const kept = await givenRecords(other, 'account');
      await leave(heir);
      expect(await runHandOvers(workspace)).toEqual([]);
      expect(await heldBy(heir)).toEqual(idsOf(open, hidden).sort());
      expect(await heldBy(owner)).toEqual([]);
      expect(await heldBy(other)).toEqual(idsOf(kept).sort());
      const { contact } = (await heir.reader.retrieveContact({ params: { id: hidden.contact.id } })).body;
      expect([contact.visibility, contact.user_id]).toEqual(['private', heir.user.id]);
      for (const user of [owner, other])
        expect(await codeOf(user.reader.retrieveContact({ params: { id: hidden.contact.id } }))).toBe(
          '404 record_not_found',
        );
      expect(await left()).toEqual([]);
      expect(await storedNotifications(workspace, heir.user.id)).toEqual([]);
    },
  );

  longIt('without a replacement to the owner, and when the replacement left meanwhile', async () => {
    const first = await givenRecords(leaver, 'private');
    await leave();
    await runHandOvers(workspace);
    expect(await heldBy(owner)).toEqual(idsOf(first).sort());
    const second = await givenRecords(other, 'private');
    await owner.session.deleteUser({
      params: { id: other.user.id },
      body: { replacement_user_id: heir.user.id },
    });
    await owner.session.deleteUser({ params: { id: heir.user.id } });
    await runHandOvers(workspace);
    expect(await heldBy(owner)).toEqual(idsOf(first, second).sort());
  });

  longIt('what the user works on for others gets a new assignee, and keeps its owner', async () => {
    const assigned_user_id = leaver.user.id;
    const { task } = (await other.api.createTask({ body: { task: { name: 'Mine', assigned_user_id } } }))
      .body;
    const { deal } = (await other.api.createDeal({ body: { deal: { name: 'Mine', assigned_user_id } } }))
      .body;
    const { milestone } = (
      await other.api.createMilestone({ body: { milestone: { name: 'Mine', assigned_user_id } } })
    ).body;
    await leave(heir);
    await runHandOvers(workspace);
    const now = [
      (await other.reader.retrieveTask({ params: { id: task.id } })).body.task,
      (await other.reader.retrieveDeal({ params: { id: deal.id } })).body.deal,
      (await other.reader.retrieveMilestone({ params: { id: milestone.id } })).body.milestone,
    ];
    for (const { user_id, assigned_user_id } of now)
      expect([user_id, assigned_user_id]).toEqual([other.user.id, heir.user.id]);
    expect(await heldBy(heir)).toEqual([`assigned ${task.id}`]);
  });

  longIt('what is linked to a private record is seen by who has it now', async () => {
    const { contact } = (
      await leaver.api.createContact({ body: { contact: { name: 'Hidden', visibility: 'private' } } })
    ).body;
    const draft = { name: 'Linked', contact_ids: [contact.id], assigned_user_id: null };
    const { task } = (await leaver.api.createTask({ body: { task: draft } })).body;
    await leave(heir);
    await runHandOvers(workspace);
    const { records } = (await heir.reader.listTasks({ query: { contact_id: contact.id } })).body.collection;
    expect(records.map(({ id }) => id)).toEqual([task.id]);
    expect(await codeOf(owner.reader.retrieveTask({ params: { id: task.id } }))).toBe('404 record_not_found');
  });

  longIt('who is back learns nothing of private records by what leads to them', async () => {
    const email_address = 'hidden@hidden.example';
    const visibility = 'private' as const;
    const created = await leaver.api.createOrganization({
      body: { organization: { name: 'Hidden', domains: ['hidden.example'], visibility } },
    });
    const { organization } = created.body;
    const employments = [{ organization: { id: organization.id } }];
    const space = (await leaver.api.createSpace({ body: { space: { name: 'Yards', kind: 'records' } } })).body
      .space;
    const contact = await givenContact(leaver, {
      ...{ name: 'Hidden person', email_addresses: [{ email_address }], visibility, employments },
    });
    for (const member of [{ contact_id: contact.id }, { organization_id: organization.id }])
      await leaver.api.createSpaceMembership({ params: { space_id: space.id }, body: member });
    const mailbox_id = await givenMailbox(workspace, leaver, leaver.user.account_id);
    await importMail(workspace, leaver, mailbox_id, [eml({ id: 'one@x', from: email_address })]);
    await leave(heir);
    await runHandOvers(workspace);
    await owner.session.updateUser({ params: { id: leaver.user.id }, body: { user: { status: 'active' } } });
    const back = (await givenSession(workspace, leaver)).api;
    const listed = (await back.listThreads()).body.collection.records;
    expect(listed.map(({ participants }) => participants[email_address])).not.toContainEqual(
      expect.objectContaining({ id: contact.id }),
    );
    expect((await back.listThreads({ query: { space_id: space.id } })).body.collection.records).toEqual([]);
    const named = { name: 'Hidden', domains: ['hidden.example'] };
    const again = await back.createContact({
      body: {
        contact: {
          email_addresses: [{ email_address }],
          employments: [{ organization: { name: 'Hidden' } }],
        },
      },
    });
    expect(again.body.contact.employments[0]?.organization?.id).not.toBe(organization.id);
    await back.createOrganization({ body: { organization: named } });
  });

  longIt('a contact with as many addresses as one may have goes too', async () => {
    const all = Array.from({ length: 90 }, (_, i) => ({ email_address: `${i}@many.example` }));
    const { id } = await givenContact(leaver, { email_addresses: all, visibility: 'private' });
    await leave(heir);
    expect(await runHandOvers(workspace)).toEqual([]);
    expect((await readContact(heir, id)).user_id).toBe(heir.user.id);
  });

  longIt('a deleted record comes back as that of who has it now', async () => {
    const { contact } = (await leaver.api.createContact({ body: { contact: { name: 'Gone' } } })).body;
    const params = { record_type: 'contacts' as const, record_id: contact.id };
    await leaver.api.deleteContact({ params: { id: contact.id } });
    await leave(heir);
    await runHandOvers(workspace);
    await owner.api.restoreRecord({ params });
    const restored = (await owner.reader.retrieveContact({ params: { id: contact.id } })).body.contact;
    expect(restored.user_id).toBe(heir.user.id);
  });

  longIt.each(['account', 'private'] as const)(
    'a merged contact comes back as that of who took over, when both were %s',
    async (visibility) => {
      const into = await givenContact(leaver, { visibility });
      const from = await givenContact(leaver, { visibility });
      await mergeWhole(workspace, leaver, into.id, from.id);
      await leave(heir);
      await runHandOvers(workspace);
      await unmergeWhole(workspace, heir, into.id, from.id);
      expect(await heldBy(heir)).toEqual([into.id, from.id].sort());
      expect((await readContact(heir, from.id)).visibility).toBe(visibility);
    },
  );

  longIt('a merged contact comes back as that of who took over last, and of who is back', async () => {
    const merge = async () => {
      const [into, from] = [await givenContact(other), await givenContact(leaver)];
      await mergeWhole(workspace, other, into.id, from.id);
      return async () => {
        await unmergeWhole(workspace, other, into.id, from.id);
        return (await readContact(other, from.id)).user_id;
      };
    };
    const [first, second, third] = [await merge(), await merge(), await merge()];
    await leave(heir);
    await runHandOvers(workspace);
    await owner.session.deleteUser({ params: { id: heir.user.id } });
    await runHandOvers(workspace);
    expect(await first()).toBe(owner.user.id);
    await leave(other);
    expect(await second()).toBe(other.user.id);
    await owner.session.updateUser({ params: { id: leaver.user.id }, body: { user: { status: 'active' } } });
    expect(await third()).toBe(leaver.user.id);
  });

  longIt('a merge that waits for a deleted survivor keeps nothing from who takes over', async () => {
    const [mine, survivor] = [await givenContact(leaver), await givenContact(owner)];
    const { id } = await givenDeal(leaver, { visibility: 'private' });
    await mergeInto(owner, survivor.id, mine.id);
    await owner.api.deleteContact({ params: { id: survivor.id } });
    await runRemovals(workspace);
    await leave(heir);
    expect(await runHandOvers(workspace)).toEqual([]);
    expect((await dealOf(heir, id)).user_id).toBe(heir.user.id);
  });

  longIt('an undone proposal gives the work back to who took over', async () => {
    const deal = await givenDeal(owner, { assigned_user_id: leaver.user.id });
    const params = { record_id: deal.id, assigned_user_id: other.user.id };
    const { id } = await givenProposal(workspace, owner, { action_type: 'deal.update', params });
    await accept(owner, id);
    await leave(heir);
    await runHandOvers(workspace);
    await undo(owner, id);
    expect((await dealOf(owner, deal.id)).assigned_user_id).toBe(heir.user.id);
  });

  longIt('mailboxes stay theirs, and are shared to edit with who takes over', async () => {
    const mailbox_id = await givenMailbox(workspace, leaver, leaver.user.account_id);
    await importMail(workspace, leaver, mailbox_id, [eml({ id: 'one@x', subject: 'Ferry times' })]);
    await leave(heir);
    await runHandOvers(workspace);
    const { records } = (await heir.reader.listMailboxes()).body.collection;
    expect(records).toMatchObject([{ id: mailbox_id, access: 'edit', owner_user_id: leaver.user.id }]);
    const { shares } = (await heir.reader.retrieveMailbox({ params: { id: mailbox_id } })).body.mailbox;
    expect(shares).toMatchObject([{ user_id: heir.user.id, access: 'edit', shared_by_user_id: null }]);
    const threads = (await heir.reader.listThreads()).body.collection.records;
    expect(threads.map(({ subject }) => subject)).toEqual(['Ferry times']);
    expect((await owner.reader.listMailboxes()).body.collection.records).toEqual([]);
  });

  longIt('mailboxes that the user had taken over go on, with what is asked for in them', async () => {
    const { mailbox_id, thread_id } = await givenHidden(workspace, leaver, 'Theirs');
    await leave(heir);
    await runHandOvers(workspace);
    const id = await asked(other, thread(thread_id));
    await owner.session.deleteUser({ params: { id: heir.user.id } });
    await runHandOvers(workspace);
    const { records } = (await owner.reader.listMailboxes()).body.collection;
    expect(records).toMatchObject([{ id: mailbox_id, access: 'edit', owner_user_id: leaver.user.id }]);
    await owner.api.approveShareRequest({ params: { share_request_id: id }, body: {} });
    const { body } = await other.reader.retrieveThread({ params: { id: thread_id } });
    expect(body.thread.subject).toBe('Theirs');
  });

  it('a share to view becomes one to edit', async () => {
    const mailbox_id = await givenMailbox(workspace, leaver, leaver.user.account_id);
    const params = { record_type: 'mailboxes' as const, record_id: mailbox_id };
    await leaver.api.createShare({ params, body: { share: { user_id: heir.user.id } } });
    await leave(heir);
    await runHandOvers(workspace);
    const { shares } = (await heir.reader.retrieveMailbox({ params: { id: mailbox_id } })).body.mailbox;
    expect(shares).toMatchObject([
      { user_id: heir.user.id, access: 'edit', shared_by_user_id: leaver.user.id },
    ]);
  });

  longIt('reads some whole records at once, however many there are', async () => {
    for (let i = 0; i < 30; i++)
      await leaver.api.createOrganization({ body: { organization: { name: `Organization ${i}` } } });
    await leave(heir);
    const most = await mostReadTogether(workspace.table, () => runHandOvers(workspace));
    expect(await heldBy(heir)).toHaveLength(30);
    expect(most).toBeLessThanOrEqual(25);
  });

  longIt('a user who is back before the worker comes keeps everything', async () => {
    const records = await givenRecords(leaver, 'account');
    await leave(heir);
    await owner.session.updateUser({ params: { id: leaver.user.id }, body: { user: { status: 'active' } } });
    await runHandOvers(workspace);
    const { task } = (await heir.reader.retrieveTask({ params: { id: records.task.id } })).body;
    expect(task.user_id).toBe(leaver.user.id);
    expect(await left()).toEqual([]);
  });

  longIt('several workers at once, and a message delivered twice, give everything once', async () => {
    const records = await givenRecords(leaver, 'private');
    await leave(heir);
    await Promise.all([runHandOvers(workspace), runHandOvers(workspace)]);
    await runHandOvers(workspace);
    expect(await heldBy(heir)).toEqual(idsOf(records).sort());
    const { records: history } = (
      await heir.reader.listHistory({ params: { record_type: 'tasks', record_id: records.task.id } })
    ).body.collection;
    expect(history).toMatchObject([
      { changes: [{ field: 'assigned_user_id', before: leaver.user.id, after: heir.user.id }] },
    ]);
  });

  longIt('killed at every call, a later message completes it', async () => {
    const step = long ? STRIDE : 13;
    const records = await givenRecords(leaver, 'private');
    await leave(heir);
    for (let call = 1; (await openJobs(workspace.table, 'hand-over-records')).length > 0; call += step) {
      const crash = crashAfter(workspace.table, call);
      await runHandOvers(workspace).catch(() => undefined);
      crash.remove();
    }
    await runHandOvers(workspace);
    expect(await heldBy(heir)).toEqual(idsOf(records).sort());
    expect(await left()).toEqual([]);
  });

  longIt('with no time left, another message continues', async () => {
    const records = await givenRecords(leaver, 'account');
    await leave(heir);
    await runHandOvers(workspace, 1_000);
    expect(await openJobs(workspace.table, 'hand-over-records')).toHaveLength(1);
    await runHandOvers(workspace);
    expect(await heldBy(heir)).toEqual(idsOf(records).sort());
  });
});
