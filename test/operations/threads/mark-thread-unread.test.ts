import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('DELETE /threads/{thread_id}/read', () => {
  let workspace: Workspace;
  let thread_id: string;
  const read = async () =>
    (await workspace.ada.reader.retrieveThread({ params: { id: thread_id } })).body.thread.read;

  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true });
    const mailbox = await givenMailbox(workspace, workspace.ada);
    await importMail(workspace, workspace.ada, mailbox, [eml({ id: 'one@x', subject: 'One' })]);
    thread_id = (await workspace.ada.reader.listThreads()).body.collection.records[0]?.id as string;
  });
  afterAll(() => workspace?.stop());

  it('marks the thread unread, and a repeat changes nothing', async () => {
    await workspace.ada.api.markThreadRead({ params: { thread_id } });
    expect(await read()).toBe(true);
    for (let i = 0; i < 2; i++) {
      const answer = await workspace.ada.api.markThreadUnread({ params: { thread_id } });
      expect(answer).toMatchObject({ status: 204, body: null });
      expect(await read()).toBe(false);
    }
  });

  it('is 404 on a thread the user does not see', async () => {
    for (const user of [workspace.grace, workspace.hank])
      await expect(user.api.markThreadUnread({ params: { thread_id } })).rejects.toMatchObject({
        status: 404,
        code: 'record_not_found',
      });
  });

  it('is 404 as soon as the mailbox is no longer the user’s', async () => {
    const key = { PK: workspace.ada.user.PK, SK: workspace.ada.user.SK };
    const mailboxes = (await workspace.table.get(key))?.mailboxes;
    await workspace.table.update(key, { update: 'SET mailboxes = :none', values: { ':none': {} } });
    await expect(workspace.ada.api.markThreadUnread({ params: { thread_id } })).rejects.toMatchObject({
      status: 404,
    });
    await workspace.table.update(key, { update: 'SET mailboxes = :all', values: { ':all': mailboxes } });
  });

  it('needs a read/write key', async () => {
    await expect(workspace.ada.reader.markThreadUnread({ params: { thread_id } })).rejects.toMatchObject({
      status: 403,
      code: 'api_key_insufficient',
    });
  });
});
