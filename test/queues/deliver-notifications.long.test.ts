import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler } from '../../functions/queues/deliver-notifications.ts';
import type { Job } from '../../shared/domain/jobs/job.ts';
import { JOB_SHARDS, keys } from '../../shared/table/keys.ts';
import { givenAccount } from '../support/accounts.ts';
import { failCall } from '../support/faults.ts';
import { givenColleagues, givenCommenters, storedNotifications } from '../support/notifications.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Notifications that do not fit into the transaction of what they tell. */
describe('queue notifications', () => {
  let workspace: Workspace;
  let author: TestUser;
  let everybody: string[];
  /** More than fit into the transaction of a comment. */
  let users: string[];
  /** The users see it and have commented on it. */
  let contact_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true });
    [author] = (await givenAccount(workspace, 1)) as [TestUser];
    everybody = await givenColleagues(workspace, author, 500);
    users = everybody.slice(0, 120);
  });
  beforeEach(async () => {
    contact_id = await givenContact(users);
  });
  afterEach(async () => {
    workspace.setTime(undefined);
    for (const job of await openJobs()) await workspace.table.delete({ PK: job.PK, SK: job.SK });
  });
  afterAll(() => workspace?.stop());

  async function givenContact(commenters: string[]): Promise<string> {
    const { contact } = (await author.api.createContact({ body: { contact: { name: 'Moira Bell' } } })).body;
    await givenCommenters(workspace, { type: 'contacts', id: contact.id }, commenters);
    return contact.id;
  }
  const comment = async (id = contact_id) => {
    const params = { record_type: 'contacts' as const, record_id: id };
    return (await author.api.createComment({ params, body: { comment: { html_content: 'Hello' } } })).body
      .comment;
  };
  const openJobs = async (): Promise<Job[]> => {
    const shards = Array.from({ length: JOB_SHARDS }, (_, shard) => keys.jobShard(shard));
    return (await Promise.all(shards.map(({ PK, SK }) => workspace.table.all<Job>(PK, SK)))).flat();
  };
  /** Delivers messages of jobs as SQS does. Gives how many of them failed. */
  const deliver = async (...jobs: Job[]): Promise<number> => {
    const Records = jobs.map(({ id, body }, i) => ({
      messageId: `m${i}`,
      body: JSON.stringify({ job_id: id, ...body }),
      attributes: {},
      eventSource: 'aws:sqs',
    }));
    const answer = await handler({ Records } as never, { getRemainingTimeInMillis: () => 60_000 });
    return answer.batchItemFailures.length;
  };
  /** How often each of the users was told of the comment. */
  const timesTold = async (comment_id: string, user_ids = users): Promise<number[]> => {
    const stored = await Promise.all(user_ids.map((id) => storedNotifications(workspace, id)));
    return stored.map(
      (all) => all.filter(({ payload }) => (payload.comment as { id: string }).id === comment_id).length,
    );
  };
  const times = (count: number, user_ids = users) => user_ids.map(() => count);
  it('killed at any call to the table, and delivered again, it tells each user once', async () => {
    // Two transactions of the job.
    const many = everybody.slice(0, 210);
    // Of each transaction some, to keep the run short.
    const some = many.filter((_, i) => i % 7 === 0);
    const record = await givenContact(many);
    let rounds = 0;
    for (let call = 1, reached = true; reached; call++) {
      for (const when of ['before', 'after'] as const) {
        const written = await comment(record);
        const [job, ...more] = (await openJobs()) as [Job, ...Job[]];
        expect(more).toEqual([]);
        const fault = failCall(workspace.table, call, when);
        const failed = await deliver(job);
        fault.remove();
        reached = fault.hit;
        expect(failed).toBe(reached ? 1 : 0);
        if (reached) rounds++;
        expect(await deliver(job, job)).toBe(0);
        expect(await timesTold(written.id, some)).toEqual(times(1, some));
        expect(await openJobs()).toEqual([]);
      }
    }
    // The job, users, contact, whether it was merged, transaction: twice. Then no job is left.
    expect(rounds).toBe(22);
  });
});
