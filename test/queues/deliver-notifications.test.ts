import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createComment } from '#shared/domain/collaboration/comments/create.ts';
import type { DeliveryJob } from '#shared/domain/collaboration/notifications/emit.ts';
import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { sweepJobs } from '#shared/domain/platform/jobs/job.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Update } from '#shared/table/table.ts';
import { handler } from '../../functions/queues/deliver-notifications.ts';
import { givenAccount } from '../support/accounts.ts';
import { failCall } from '../support/faults.ts';
import { deliverMessages } from '../support/jobs.ts';
import { long, longIt, STRIDE } from '../support/long.ts';
import {
  givenColleagues,
  givenCommenters,
  givenNotifications,
  storedNotifications,
} from '../support/notifications.ts';
import { givenCrowd, type ToldCrowd } from '../support/told-crowd.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Notifications that do not fit into the transaction of their event. */
describe('queue notifications', () => {
  let workspace: Workspace;
  let crowd: ToldCrowd;
  let author: TestUser;
  let everybody: string[];
  /** More than fit into the transaction of a comment. */
  let users: string[];
  /** The users see it and have commented on it. */
  let contact_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true, own_table: true });
    crowd = await givenCrowd(workspace, long ? 500 : 240);
    ({ author, everybody } = crowd);
    users = everybody.slice(0, 120);
  });
  beforeEach(async () => {
    contact_id = await crowd.givenContact(users);
  });
  afterEach(async () => {
    workspace.setTime(undefined);
    for (const job of await openJobs()) await workspace.table.delete({ PK: job.PK, SK: job.SK });
  });
  afterAll(() => workspace?.stop());

  const comment = (id = contact_id) => crowd.comment(id);
  const openJobs = () => crowd.openJobs();
  const deliver = (...jobs: DeliveryJob[]) => crowd.deliver(...jobs);
  const timesTold = (comment_id: string, user_ids = users) => crowd.timesTold(comment_id, user_ids);
  const times = (count: number, user_ids = users) => user_ids.map(() => count);
  const change = (id: string, set: NonNullable<Update<Contact & RecordItem>['set']>) =>
    workspace.table.update<Contact & RecordItem>(keys.record('contacts', id), { set });

  longIt(
    'a comment on what hundreds of users see tells each of them once: one job, delivered twice and several times at once',
    async () => {
      const { id } = await comment(await crowd.givenContact(everybody));
      const jobs = await openJobs();
      const atOnce = await timesTold(id, everybody);
      expect(jobs).toHaveLength(1);
      expect(atOnce.filter((count) => count > 0).length).toBeGreaterThan(80);
      const [job] = jobs as [DeliveryJob];
      await Promise.all([deliver(job, job), deliver(job), deliver(job)]);
      expect(await deliver(job, job)).toBe(0);
      expect(await timesTold(id, everybody)).toEqual(times(1, everybody));
      expect(await storedNotifications(workspace, author.user.id)).toEqual([]);
      expect(await openJobs()).toEqual([]);
    },
  );

  it('the same job twice at the same time tells each user once', async () => {
    const { id } = await comment();
    for (const job of await openJobs())
      expect(await Promise.all([deliver(job), deliver(job), deliver(job)])).toEqual([0, 0, 0]);
    expect(await timesTold(id)).toEqual(times(1));
  });

  longIt(
    'a comment that is killed at any call is there with all its notifications, or not at all',
    async () => {
      const record = { type: 'contacts' as const, id: contact_id };
      const account = await workspace.table.get(keys.account(author.user.account_id));
      const credential = { kind: 'api_key' as const, tier: 'read_write' as const, id: author.user.id };
      const caller = { account: account as never, user: author.user, credential };
      const told = new Set<string>();
      for (let call = 1, reached = true; reached; call += STRIDE) {
        for (const when of ['before', 'after'] as const) {
          const fault = failCall(workspace.table, call, when);
          const draft = { html_content: 'Hello' };
          await createComment({ ...workspace.ctx, caller, now: new Date() }, record, draft).catch(
            () => undefined,
          );
          fault.remove();
          reached = fault.hit;
        }
      }
      await deliver(...(await openJobs()));
      const { comments } = (
        await author.reader.listComments({ params: { record_type: 'contacts', record_id: record.id } })
      ).body;
      expect(comments.length).toBeGreaterThan(1);
      for (const { id } of comments) {
        expect(await timesTold(id)).toEqual(times(1));
        told.add(id);
      }
      for (const { payload } of await storedNotifications(workspace, users[0] as string)) {
        if (payload.id === record.id) expect(told).toContain((payload.comment as { id: string }).id);
      }
    },
  );

  it('a user who no longer sees the record at delivery is not notified', async () => {
    const { id } = await comment();
    const before = await timesTold(id);
    await change(contact_id, { visibility: 'private' });
    expect(await deliver(...(await openJobs()))).toBe(0);
    expect(await timesTold(id)).toEqual(before);
    expect(before.some((count) => count === 0)).toBe(true);
    expect(await openJobs()).toEqual([]);
  });

  longIt(
    'a user who was deactivated meanwhile is not notified, and nobody is about a deleted record',
    async () => {
      const concerned = everybody.slice(-120);
      const record = await crowd.givenContact(concerned);
      const { id } = await comment(record);
      const [job] = (await openJobs()) as [DeliveryJob];
      const waiting = concerned.filter((user) => JSON.stringify(job.delivery).includes(user));
      const [gone, ...others] = waiting as [string, ...string[]];
      await workspace.table.update<User>(keys.user(author.user.account_id, gone), {
        set: { status: 'deactivated' },
      });
      await deliver(job);
      expect(await timesTold(id, waiting)).toEqual([0, ...times(1, others)]);
      const second = await comment(record);
      const before = await timesTold(second.id, concerned);
      await workspace.table.delete(keys.record('contacts', record));
      await deliver(...(await openJobs()));
      expect(await timesTold(second.id, concerned)).toEqual(before);
      expect(await openJobs()).toEqual([]);
    },
  );

  longIt('a user who sees the merged record is notified, with the id that leads there', async () => {
    const into = await crowd.givenContact([]);
    const { id } = await comment();
    await change(contact_id, { visibility: 'private', merged_into: into });
    await deliver(...(await openJobs()));
    expect(await timesTold(id)).toEqual(times(1));
  });

  it('the payload shows the record as it was at the event, also for late recipients', async () => {
    const { id, created_at } = await comment();
    await change(contact_id, { name: 'Somebody Else' });
    await deliver(...(await openJobs()));
    const stored = await Promise.all(users.map((user) => storedNotifications(workspace, user)));
    const told = stored.flat().filter(({ payload }) => payload.id === contact_id);
    expect(told).toHaveLength(users.length);
    for (const each of told)
      expect(each).toMatchObject({
        event: 'comment_added',
        prompting_user_id: author.user.id,
        payload: {
          id: contact_id,
          record_type: 'contact',
          name: 'Moira Bell',
          comment: { id, parent_comment_id: null, user_id: author.user.id, snippet: 'Hello', created_at },
        },
      });
  });

  longIt(
    'a late notification is new, unread and listed, after any operation of the user on all',
    async () => {
      const [owner, late] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
      const { contact } = (await owner.api.createContact({ body: { contact: { name: 'Moira' } } })).body;
      // Earlier commenters are told in the order of their ids: the one who is looked at comes last.
      const others = await givenColleagues(workspace, owner, 98, new Date('2020-01-01'));
      await givenCommenters(workspace, { type: 'contacts', id: contact.id }, [...others, late.user.id]);
      const params = { record_type: 'contacts' as const, record_id: contact.id };
      await owner.api.createComment({ params, body: { comment: { html_content: 'Hello' } } });
      await givenNotifications(workspace, late, ['deal_won'], new Date());
      await late.api.markAllNotificationsRead();
      await late.api.dismissNotifications({ body: { global: true } });
      await late.session.createNotificationView({ params: { user_id: late.user.id } });
      const jobs = await openJobs();
      expect(jobs).toHaveLength(1);
      workspace.setTime(new Date(Date.now() + 60_000));
      await deliver(...jobs);
      const { records } = (await late.reader.listNotifications()).body.collection;
      expect(records).toMatchObject([
        { event: 'comment_added', new: true, read_at: null, dismissed_at: null },
      ]);
    },
  );

  it('the next sweep sends the jobs, and the worker delivers them', async () => {
    const { id } = await comment();
    workspace.setTime(new Date(Date.now() + 60_000));
    expect(await sweepJobs(workspace.ctx)).toBe(1);
    expect(await sweepJobs(workspace.ctx)).toBe(0);
    await expect.poll(async () => (await openJobs()).length, { timeout: 20_000 }).toBe(0);
    expect(await timesTold(id)).toEqual(times(1));
  });

  it('reports only the messages of a batch that failed', async () => {
    const id = newId(new Date());
    expect(await deliverMessages(handler, ['no json', { job_id: id }])).toEqual({ failed: ['m0'] });
  });
});
