import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runImport } from '#shared/domain/mail/imports/run.ts';
import { findImport } from '#shared/domain/mail/imports/store.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { finishRegrouping } from '#shared/domain/mail/threads/regroup.ts';
import { keys } from '#shared/table/keys.ts';
import { failCall } from '../support/faults.ts';
import { openJobs } from '../support/jobs.ts';
import { STRIDE } from '../support/long.ts';
import { eml, givenMailbox, listAllThreads } from '../support/mail.ts';
import { conversation, givenPendingImport } from '../support/pending-import.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

describe('the mail import job', () => {
  let workspace: Workspace;
  let mailbox: string;

  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true, own_table: true });
  });
  afterAll(() => workspace?.stop());
  beforeEach(async () => {
    mailbox = await givenMailbox(workspace, workspace.ada);
  });

  const threads = () => listAllThreads(workspace.ada.reader, { mailbox_id: mailbox });

  it('ends in the same state whichever call to the table fails', { timeout: 1_500_000 }, async () => {
    // The second message arrives last and joins the threads of the other two.
    const [first, second] = conversation('fault');
    const third = eml({ id: 'fault-3@x', subject: 'Re: fault', in_reply_to: 'fault-2@x' });
    const mail = [first, third, second] as Buffer[];
    for (let call = 1, reached = true; reached; call += STRIDE) {
      for (const when of ['before', 'after'] as const) {
        mailbox = await givenMailbox(workspace, workspace.ada);
        const renamed = mail.map((raw) =>
          Buffer.from(raw.toString().replaceAll('fault-', `fault-${call}-${when}-`)),
        );
        const id = await givenPendingImport(workspace, mailbox, renamed);
        const fault = failCall(workspace.table, call, when);
        await runImport(workspace.ctx, id, () => false).catch(() => undefined);
        fault.remove();
        reached = fault.hit;
        for (let attempt = 0; attempt < 3; attempt++) await runImport(workspace.ctx, id, () => false);
        // The rest of a merge of threads is a job, which the sweep sends.
        for (const job of await openJobs(workspace.table, 'index-threads'))
          await finishRegrouping(workspace.ctx, job);
        expect(await findImport(workspace.table, id)).toMatchObject({
          status: 'complete',
          messages_imported: 3,
          messages_skipped: 0,
          messages_failed: 0,
        });
        expect(await threads()).toMatchObject([{ message_count: 3, read: false }]);
        const stored = await workspace.table.get<Mailbox>(keys.mailbox(workspace.account_id, mailbox));
        expect(stored?.messages_imported).toBe(3);
      }
    }
  });
});
