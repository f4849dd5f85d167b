import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryJob } from '#shared/domain/collaboration/notifications/emit.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import { handler } from '../../../../functions/queues/deliver-notifications.ts';
import { finishedReply, questionOf } from '../../../support/assistant.ts';
import { givenComment } from '../../../support/comments.ts';
import { mentioning } from '../../../support/documents.ts';
import { givenGroup } from '../../../support/groups.ts';
import { deliverMessages, openJobs } from '../../../support/jobs.ts';
import { takeMailbox } from '../../../support/mailbox-access.ts';
import { givenColleagues, givenCommenters } from '../../../support/notifications.ts';
import { onThread } from '../../../support/shares.ts';
import { givenTwoViews, type TwoViews } from '../../../support/two-views.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** The name of a thread in a notification whose recipient sees other messages than the actor. */

let workspace: Workspace;
let ada: TestUser;
let grace: TestUser;
let linus: TestUser;
let thread: TwoViews;
beforeAll(async () => {
  workspace = await startWorkspace({ mail: true, own_table: true });
  ({ ada, grace, linus } = workspace);
});
afterAll(() => workspace?.stop());
beforeEach(async () => {
  thread = await givenTwoViews(workspace, ada, grace);
});

/** Event and subject of what a user was told of the thread, newest first. */
async function told(user: TestUser) {
  const { records } = (await user.reader.listNotifications({ query: { limit: 100 } })).body.collection;
  const about = records.filter(({ payload }) => payload?.id === thread.id);
  return about.map(({ event, payload }) => [event, payload?.subject]);
}
const share = (sharer: TestUser, target: { user_id: string } | { group_id: string }) =>
  sharer.api.createShare({ params: onThread(thread.id), body: { share: target } });

describe('the subject in a notification is the recipient’s own', () => {
  it.each(['comment_added', 'comment_mentioned'] as const)('%s, both ways', async (event) => {
    const mention = (user: TestUser) =>
      event === 'comment_mentioned' ? { json_content: mentioning(user.user.id) } : {};
    await givenComment(ada, thread, mention(grace));
    expect(await told(grace)).toEqual([[event, 'Ferry times']]);
    await givenComment(grace, thread, mention(ada));
    expect(await told(ada)).toEqual([[event, 'Merger terms']]);
  });

  it('comment_mentioned in an edit', async () => {
    const { id } = await givenComment(ada, thread, {});
    const comment = { html_content: '<p>Hello</p>', json_content: mentioning(grace.user.id) };
    await ada.api.updateComment({ params: { id }, body: { comment } });
    expect((await told(grace))[0]).toEqual(['comment_mentioned', 'Ferry times']);
  });

  it('comment_added by the assistant', async () => {
    const comment = { html_content: '<p>?</p>', json_content: questionOf('How many messages are there?') };
    for (const [user, subject] of [
      [ada, 'Merger terms'],
      [grace, 'Ferry times'],
    ] as const) {
      const asked = await user.api.createComment({ params: onThread(thread.id), body: { comment } });
      await finishedReply(user, onThread(thread.id), asked.body.comment);
      expect((await told(user))[0]).toEqual(['comment_added', subject]);
    }
  });

  it('is null when the entry of the recipient shows messages without access any more', async () => {
    await share(ada, { user_id: grace.user.id });
    await takeMailbox(workspace, grace, thread.second.mailbox);
    await givenComment(ada, thread, { json_content: mentioning(grace.user.id) });
    expect((await told(grace))[0]).toEqual(['comment_mentioned', null]);
  });

  it('is null before the recipient has an entry', async () => {
    await share(ada, { user_id: linus.user.id });
    await workspace.table.delete(keys.threadEntry(linus.user.id, thread.id));
    await givenComment(ada, thread, { json_content: mentioning(linus.user.id) });
    expect((await told(linus))[0]).toEqual(['comment_mentioned', null]);
  });

  it('stays as it was after access was removed, and no notification follows', async () => {
    await givenComment(ada, thread, { json_content: mentioning(grace.user.id) });
    await takeMailbox(workspace, grace, thread.second.mailbox);
    await givenComment(ada, thread, { json_content: mentioning(grace.user.id) });
    expect(await told(grace)).toEqual([['comment_mentioned', 'Ferry times']]);
  });
});

describe('thread_shared: the subject is that of the first message the recipient will see', () => {
  it('of the sharer’s messages, when the recipient sees none yet', async () => {
    await share(grace, { user_id: linus.user.id });
    expect(await told(linus)).toEqual([['thread_shared', 'Ferry times']]);
  });

  it('of the earlier one, when the recipient sees some', async () => {
    await share(ada, { user_id: grace.user.id });
    expect(await told(grace)).toEqual([['thread_shared', 'Merger terms']]);
    await share(grace, { user_id: ada.user.id });
    expect(await told(ada)).toEqual([['thread_shared', 'Merger terms']]);
  });

  it('for every member of a group on its own', async () => {
    const group = await givenGroup(grace, [ada, grace, linus]);
    await share(grace, { group_id: group.id });
    expect(await told(ada)).toEqual([['thread_shared', 'Merger terms']]);
    expect(await told(linus)).toEqual([['thread_shared', 'Ferry times']]);
    expect(await told(grace)).toEqual([]);
  });

  it('is what the recipient’s list shows right after', async () => {
    await share(grace, { user_id: linus.user.id });
    const { body } = await linus.reader.retrieveThread({ params: { id: thread.id } });
    expect(await told(linus)).toEqual([['thread_shared', body.thread.subject]]);
  });
});

describe('notifications that a job delivers', () => {
  const deliver = (job: DeliveryJob) => deliverMessages(handler, [{ job_id: job.id }]);

  /** Ada’s comment on the thread, with more recipients than one transaction holds. */
  async function givenJob(): Promise<DeliveryJob> {
    // An owner would be told at once.
    await workspace.table.update<Thread>(keys.record('threads', thread.id), {
      set: { owner_ids: new Set([ada.user.id]) },
    });
    const crowd = await givenColleagues(workspace, ada, 110, new Date('2020-01-01'));
    await givenCommenters(workspace, { type: 'threads', id: thread.id }, [...crowd, grace.user.id]);
    await givenComment(ada, thread);
    const jobs = await openJobs<DeliveryJob>(workspace.table, 'deliver-notifications');
    const [job] = jobs.filter(({ delivery }) => delivery.record.id === thread.id);
    if (!job?.delivery.notices.some(({ user_id }) => user_id === grace.user.id))
      throw new Error('Grace is not told by the job');
    return job;
  }

  const mergedInto = (into: TwoViews) =>
    workspace.table.update<Thread>(keys.record('threads', thread.id), { set: { merged_into: into.id } });

  it('the job has no subject, and each recipient gets the recipient’s own', async () => {
    const job = await givenJob();
    expect(JSON.stringify(job)).not.toMatch(/Merger|Ferry/);
    await deliver(job);
    expect(await told(grace)).toEqual([['comment_added', 'Ferry times']]);
  });

  it('after a merge: the subject is that of the merged thread', async () => {
    const job = await givenJob();
    await mergedInto(await givenTwoViews(workspace, ada, grace, ['Merger terms', 'Winter timetable']));
    await deliver(job);
    expect(await told(grace)).toEqual([['comment_added', 'Winter timetable']]);
  });

  it('after a merge: what is left of the old thread notifies nobody', async () => {
    const job = await givenJob();
    await mergedInto(await givenTwoViews(workspace, ada, linus));
    await deliver(job);
    expect(await told(grace)).toEqual([]);
  });
});
