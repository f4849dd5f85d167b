import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eml, givenMailbox, importMail } from '../support/mail.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

describe('the mail import job', () => {
  let workspace: Workspace;
  let mailbox: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true });
    mailbox = await givenMailbox(workspace, workspace.ada);
  });
  afterAll(() => workspace?.stop());

  it('counts every message as imported', async () => {
    const counts = await importMail(workspace, workspace.ada, mailbox, [
      eml({ id: 'a@x', subject: 'Winch' }),
      eml({ id: 'b@x', subject: 'Re: Winch', references: ['a@x'] }),
    ]);
    expect(counts).toMatchObject({
      status: 'complete',
      messages_total: 2,
      messages_imported: 2,
      messages_skipped: 0,
      messages_failed: 0,
      failures: [],
    });
  });
});
