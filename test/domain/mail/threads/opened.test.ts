import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

const at = (hour: number) => `Mon, 02 Nov 2026 ${hour}:00:00 +0000`;

describe('a share that opens more of a thread', () => {
  let workspace: Workspace;
  let thread_id: string;
  let mailboxes: { ada: string; grace: string };
  const seen = async () =>
    (await workspace.grace.reader.retrieveThread({ params: { id: thread_id } })).body.thread;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const { ada, grace } = workspace;
    mailboxes = { ada: await givenMailbox(workspace, ada), grace: await givenMailbox(workspace, grace) };
    const first = eml({ id: '1@x', subject: 'Winch', date: at(10) });
    await importMail(workspace, grace, mailboxes.grace, [first]);
    await importMail(workspace, ada, mailboxes.ada, [
      first,
      eml({ id: '2@x', subject: 'Re: Winch', in_reply_to: '1@x', date: at(11) }),
    ]);
    thread_id = (await listAllThreads(grace.reader))[0]?.id as string;
    await grace.api.markThreadRead({ params: { thread_id } });
    await grace.api.resolveThread({ params: { thread_id } });
    const share = { share: { user_id: grace.user.id } };
    await ada.api.createShare({ params: { record_type: 'threads', record_id: thread_id }, body: share });
  });
  afterAll(() => workspace?.stop());

  it('does not change whether it is read and resolved', async () => {
    expect(await listAllThreads(workspace.grace.reader)).toMatchObject([
      { message_count: 2, read: true, resolved: true },
    ]);
    expect(await seen()).toMatchObject({ message_count: 2, read: true, resolved: true });
  });

  it('lets new mail of that mailbox make it unread and reopen it', async () => {
    const { ada } = workspace;
    const more = eml({ id: '3@x', subject: 'Re: Winch', in_reply_to: '2@x', date: at(12) });
    await importMail(workspace, ada, mailboxes.ada, [more]);
    expect(await seen()).toMatchObject({ message_count: 3, read: false, resolved: false });
  });
});
