import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findImport, firstFailures } from '#shared/domain/mail/imports/store.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { MAX_RECEIVES } from '#shared/queues/queues.ts';
import { keys } from '#shared/table/keys.ts';
import { handler } from '../../functions/queues/import-mail.ts';
import { handler as sweep } from '../../functions/queues/sweep-jobs.ts';
import { deliverMessages, openJobs } from '../support/jobs.ts';
import { cases, longIt } from '../support/long.ts';
import { eml, givenMailbox, listAllThreads } from '../support/mail.ts';
import { givenPendingImport } from '../support/pending-import.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** With any message in an archive, the good mail before and after it is imported, and the import ends. */
describe('an import with a message that stops it', () => {
  let workspace: Workspace;
  let mailbox: string;
  let run = 0;

  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true, own_table: true });
  });
  afterAll(() => workspace?.stop());
  beforeEach(async () => {
    run++;
    mailbox = await givenMailbox(workspace, workspace.ada);
  });

  const mails = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      eml({ id: `poison-${run}-${i}@x`, subject: `Mail ${run}.${i}.` }),
    );
  const stateOf = async (id: string) => {
    const { status, messages_imported, messages_failed, messages_total } =
      (await findImport(workspace.table, id)) ?? {};
    return { status, messages_imported, messages_failed, messages_total };
  };
  const subjects = async () =>
    (await listAllThreads(workspace.ada.reader, { mailbox_id: mailbox }))
      .map(({ subject }) => subject)
      .sort();
  const jobOf = async (import_id: string) =>
    (await openJobs<Job>(workspace.table, 'import-mail')).find(({ body }) => body.import_id === import_id);

  /** Calls to the table that contain this text fail, and all calls after them, as when the process has died. */
  function failing(text: string, error: Error, dies: boolean) {
    const { middlewareStack } = workspace.table.client;
    let dead = false;
    const name = `failing-${text}`;
    middlewareStack.add(
      (next) => async (args) => {
        dead ||= JSON.stringify(args.input).includes(text);
        if (!dead) return next(args);
        dead = dies;
        throw error;
      },
      { step: 'initialize', name },
    );
    return {
      revive: () => {
        dead = false;
      },
      end: () => middlewareStack.remove(name),
    };
  }

  /** Delivers like SQS, until the message is handled or a dead letter; a run that continues sends another message. */
  async function deliver(import_id: string, fault: { revive(): void }): Promise<void> {
    for (let receives = 1; receives <= MAX_RECEIVES; receives++) {
      const job = await jobOf(import_id);
      if (!job) break;
      const { failed } = await deliverMessages(handler, [{ job_id: job.id, import_id }], 600_000, receives);
      fault.revive();
      if (failed.length === 0) receives = 0;
    }
  }

  longIt.each([
    ['fails', false],
    ['ends the process', true],
  ])('that %s each time counts it and imports the others', async (_how, dies) => {
    const id = await givenPendingImport(workspace, mailbox, mails(7));
    const fault = failing(`Mail ${run}.3.`, new Error('boom'), dies);
    await deliver(id, fault);
    fault.end();
    expect(await stateOf(id)).toEqual({
      status: 'complete',
      messages_imported: 6,
      messages_failed: 1,
      messages_total: 7,
    });
    expect(await firstFailures(workspace.table, id)).toMatchObject([{ ordinal: 3, reason: 'unreadable' }]);
    expect(await subjects()).toEqual([0, 1, 2, 4, 5, 6].map((i) => `Mail ${run}.${i}.`));
  });

  longIt('that is one of several counts each of them', async () => {
    const id = await givenPendingImport(workspace, mailbox, mails(6));
    const faults = [1, 4].map((i) => failing(`Mail ${run}.${i}.`, new Error('boom'), true));
    const revive = () => {
      for (const fault of faults) fault.revive();
    };
    await deliver(id, { revive });
    for (const fault of faults) fault.end();
    expect(await stateOf(id)).toMatchObject({ status: 'complete', messages_imported: 4, messages_failed: 2 });
  });

  longIt('does not blame a message when the table is throttled or unavailable', async () => {
    const id = await givenPendingImport(workspace, mailbox, mails(3));
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const fault = failing(`Mail ${run}.1.`, away, false);
    const job = (await jobOf(id)) as Job;
    for (let i = 0; i < 8; i++) await deliverMessages(handler, [{ job_id: job.id, import_id: id }], 600_000);
    fault.end();
    await deliverMessages(handler, [{ job_id: job.id, import_id: id }], 600_000);
    expect(await stateOf(id)).toMatchObject({ status: 'complete', messages_imported: 3, messages_failed: 0 });
  });

  it('fails when its last delivery fails, keeps the imported mail, and ends its job', async () => {
    const id = await givenPendingImport(workspace, mailbox, mails(3));
    const fault = failing(
      `Mail ${run}.2.`,
      Object.assign(new Error('away'), { code: 'ECONNREFUSED' }),
      false,
    );
    const job = (await jobOf(id)) as Job;
    await deliverMessages(handler, [{ job_id: job.id, import_id: id }], 600_000, MAX_RECEIVES);
    fault.end();
    expect(await findImport(workspace.table, id)).toMatchObject({
      status: 'failed',
      error: { code: 'import_failed' },
    });
    expect(await jobOf(id)).toBeUndefined();
  });

  it('fails after its job was sent as often as allowed, and is never left importing', async () => {
    const id = await givenPendingImport(workspace, mailbox, mails(1));
    const job = (await jobOf(id)) as Job;
    await workspace.table.update<Job>(keys.job(job.id), { set: { sends: 6, due: 0 } });
    await sweep();
    expect(await stateOf(id)).toMatchObject({ status: 'failed' });
    expect(await jobOf(id)).toBeUndefined();
  });

  /** Seconds, for what no other test takes: the long tests have it. */
  const crowds = cases([], [9_000]);
  it.each(crowds)(
    'imports mail to %i people, more than a thread names, and finds the first of the newest',
    async (length) => {
      const people = (box: number) =>
        Array.from({ length }, (_, i) => `person-${box}-${i}@company-${i % 90}.example`).join(', ');
      const big = [0, 1].map((i) =>
        eml({
          id: `big-${run}-${i}@x`,
          subject: 'Re: Everybody',
          date: `Mon, 02 Nov 2026 1${i}:00:00 +0000`,
          to: people(i),
          in_reply_to: `big-${run}@x`,
        }),
      );
      const id = await givenPendingImport(workspace, mailbox, [...mails(1), ...big, ...mails(2).slice(1)]);
      const job = (await jobOf(id)) as Job;
      await deliverMessages(handler, [{ job_id: job.id, import_id: id }], 600_000);
      expect(await stateOf(id)).toMatchObject({
        status: 'complete',
        messages_imported: 4,
        messages_failed: 0,
      });
      const participant = 'person-1-5@company-5.example';
      const { body } = await workspace.ada.reader.listThreads({
        query: { mailbox_id: mailbox, participant },
      });
      expect(body.collection.records).toMatchObject([{ message_count: 2 }]);
    },
  );
});
