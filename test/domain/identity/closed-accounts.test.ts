import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dueWrite } from '#shared/domain/collaboration/due/due.ts';
import type { DeliveryJob } from '#shared/domain/collaboration/notifications/emit.ts';
import type { Notification } from '#shared/domain/collaboration/notifications/notification.ts';
import { theftMail } from '#shared/domain/identity/sessions/theft-mail.ts';
import { invitationMail } from '#shared/domain/identity/users/invitation-mail.ts';
import type { MailImport } from '#shared/domain/mail/imports/import.ts';
import { enqueue, newJob } from '#shared/domain/platform/jobs/job.ts';
import type { QueueHandler } from '#shared/queues/consume.ts';
import { keys } from '#shared/table/keys.ts';
import { handler as deliver } from '../../../functions/queues/deliver-notifications.ts';
import { handler as doDueWork } from '../../../functions/queues/do-due-work.ts';
import { handler as exportRecords } from '../../../functions/queues/export-records.ts';
import { handler as importMail } from '../../../functions/queues/import-mail.ts';
import { handler as importRecords } from '../../../functions/queues/import-records.ts';
import { handler as runAgents } from '../../../functions/queues/run-thread-agents.ts';
import { handler as syncLabels } from '../../../functions/queues/sync-labels.ts';
import { toMbox } from '../../../infra/scripts/mbox-writer.ts';
import { givenAccount } from '../../support/accounts.ts';
import { givenUpload } from '../../support/files.ts';
import { createImport } from '../../support/imports.ts';
import { deliverMessages, openJobs } from '../../support/jobs.ts';
import { eml, givenMailbox } from '../../support/mail.ts';
import { givenThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Nothing goes on in a closed account. */
describe('a closed account', () => {
  let workspace: Workspace;
  let owner: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true, files: true });
  });
  afterAll(() => workspace.stop());
  beforeEach(async () => {
    workspace.setTime(undefined);
    [owner] = (await givenAccount(workspace, 1)) as [TestUser];
  });

  const close = () => owner.session.closeAccount({ params: { id: owner.user.account_id } });
  const notifications = () =>
    workspace.table.all<Notification>(keys.notification(owner.user.id, '').PK, 'EVENT#');
  /** Runs the jobs of a queue, of which nothing is left then. */
  const runAll = async (queue: Parameters<typeof openJobs>[1] & string, handler: QueueHandler) => {
    const jobs = await openJobs(workspace.table, queue as never);
    expect(jobs.length, queue).toBeGreaterThan(0);
    for (const { id, body } of jobs)
      expect((await deliverMessages(handler, [{ job_id: id, ...body }], 600_000)).failed).toEqual([]);
    expect(await openJobs(workspace.table, queue as never), queue).toEqual([]);
  };

  it('imports no mail', async () => {
    const mailbox_id = await givenMailbox(workspace, owner, owner.user.account_id);
    const bytes = toMbox([eml({ id: 'never@x', from: 'New <new@x.example>' })]);
    const type = 'application/mbox';
    const { id: upload_id } = await givenUpload(owner, { name: 'mail.mbox', type, bytes });
    const created = await owner.api.createMailImport({
      params: { mailbox_id },
      body: { import: { upload_id } },
    } as never);
    await close();
    await runAll('import-mail', importMail);
    const { id } = (created.body as { import: { id: string } }).import;
    expect(await workspace.table.get<MailImport>(keys.mailImport(id))).toMatchObject({
      status: 'failed',
      messages_imported: 0,
      error: { code: 'account_closed' },
    });
  });

  it('imports and exports no records', async () => {
    await createImport(owner, { bytes: 'name\nNever\n' }, { dry_run: false });
    await owner.api.createExport({ body: { export: { record_type: 'contacts', format: 'csv' } } });
    await close();
    await runAll('import-records', importRecords);
    await runAll('export-records', exportRecords);
    const lists = await workspace.table.all(keys.recordCount(owner.user.account_id, 'contacts').PK, 'COUNT#');
    expect(lists).toEqual([]);
  });

  it('writes no labels, and runs no agents', async () => {
    const thread = await givenThread(workspace, { users: [owner] });
    const { id: user_id, account_id } = owner.user;
    const { table, ctx } = workspace;
    const body = { user_id, account_id, thread_id: thread.id };
    await table.transact([
      enqueue({ ...newJob('sync-labels', body, ctx.now), ...{ labels: new Set(['read']), version: 1 } }),
      enqueue({
        ...newJob('run-thread-agents', {}, ctx.now),
        ...{ account_id, thread_ids: [thread.id], done: 0 },
      }),
    ]);
    await close();
    await runAll('sync-labels', syncLabels);
    await runAll('run-thread-agents', runAgents);
  });

  it('reminds and notifies nobody', async () => {
    const { table, ctx } = workspace;
    const due_at = new Date(Date.now() + 3_600_000).toISOString();
    const { task } = (
      await owner.api.createTask({
        body: { task: { name: 'Call', due_at, reminders: [0], assigned_user_id: owner.user.id } },
      })
    ).body;
    const { id, account_id } = owner.user;
    const delivery: DeliveryJob['delivery'] = {
      account_id,
      record: { type: 'tasks', id: task.id },
      payload: { id: task.id, record_type: 'task' },
      prompting_user_id: null,
      notices: [{ user_id: id, event: 'task_assigned' }],
    };
    await table.transact([
      enqueue({ ...newJob('deliver-notifications', {}, ctx.now), ...{ delivery, delivered: 0 } }),
      dueWrite('remind', { type: 'tasks', id: task.id }, Date.parse(due_at), ctx.now),
    ]);
    await close();
    await runAll('deliver-notifications', deliver);
    workspace.setTime(new Date(Date.parse(due_at) + 1_000));
    await doDueWork();
    expect(await notifications()).toEqual([]);
  });

  it('mails nobody', async () => {
    const { id: user_id, account_id } = owner.user;
    await close();
    const invited = { account_id, user_id, invited_by: user_id };
    expect(await invitationMail.write(workspace.ctx, invited)).toBeUndefined();
    const stolen = { account_id, user_id, created_at: new Date().toISOString(), user_agent: null };
    expect(await theftMail.write(workspace.ctx, stolen)).toBeUndefined();
  });
});
