import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eml, givenMailbox, importMailThroughApi, importThroughApi } from '../../support/mail.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /mailboxes/{mailbox_id}/imports/{id}', () => {
  let workspace: Workspace;
  let mailbox_id: string;

  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true });
    mailbox_id = await givenMailbox(workspace, workspace.ada);
  });
  afterAll(() => workspace?.stop());

  it('counts the result of every message', async () => {
    const counts = await importMailThroughApi(workspace, workspace.ada, mailbox_id, [
      eml({ id: 'a@x' }),
      eml({ id: 'a@x' }),
    ]);
    const { body } = await workspace.ada.reader.retrieveMailImport({ params: { mailbox_id, id: counts.id } });
    expect(body.import).toMatchObject({
      id: counts.id,
      status: 'complete',
      messages_total: 2,
      messages_imported: 1,
      messages_skipped: 1,
      messages_failed: 0,
      error: null,
    });
    expect(body.import.finished_at).not.toBeNull();
  });

  it('names the first 100 failures and counts all', async () => {
    const junk = 'From nobody@x Mon Nov  2 10:00:00 2026\nno header here\n\n'.repeat(130);
    const counts = await importThroughApi(workspace, workspace.ada, mailbox_id, Buffer.from(junk));
    expect(counts).toMatchObject({ messages_total: 130, messages_failed: 130, messages_imported: 0 });
    expect(counts.failures).toHaveLength(100);
    expect(counts.failures.map((failure) => failure.ordinal)).toEqual(
      Array.from({ length: 100 }, (_, i) => i),
    );
  });

  it('is 404 for users without the mailbox and under another mailbox', async () => {
    const { id } = await importMailThroughApi(workspace, workspace.ada, mailbox_id, [eml({ id: 'b@x' })]);
    const second = await givenMailbox(workspace, workspace.ada);
    const attempts = [
      () => workspace.grace.reader.retrieveMailImport({ params: { mailbox_id, id } }),
      () => workspace.hank.reader.retrieveMailImport({ params: { mailbox_id, id } }),
      () => workspace.ada.reader.retrieveMailImport({ params: { mailbox_id: second, id } }),
    ];
    for (const attempt of attempts)
      await expect(attempt()).rejects.toMatchObject({ status: 404, code: 'record_not_found' });
  });
});
