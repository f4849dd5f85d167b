import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eml, givenMailbox, importMail, listAllThreads } from '../../support/mail.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('two threads that turn out to be one', () => {
  let workspace: Workspace;
  let older: string;
  let younger: string;
  let comment: string;

  const on = (record_id: string) => ({ params: { record_type: 'threads' as const, record_id } });

  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true });
    const { ada } = workspace;
    const mailbox = await givenMailbox(workspace, ada);
    const mail = [
      eml({ id: '1@x', subject: 'Winch', date: 'Mon, 02 Nov 2026 10:00:00 +0000' }),
      eml({ id: '2@x', subject: 'Re: Winch', in_reply_to: '1@x', date: 'Mon, 02 Nov 2026 11:00:00 +0000' }),
      eml({ id: '3@x', subject: 'Re: Winch', in_reply_to: '2@x', date: 'Mon, 02 Nov 2026 12:00:00 +0000' }),
    ];
    await importMail(workspace, ada, mailbox, [mail[0] as Buffer]);
    older = (await listAllThreads(ada.reader))[0]?.id as string;
    await importMail(workspace, ada, mailbox, [mail[2] as Buffer]);
    younger = (await listAllThreads(ada.reader)).find((thread) => thread.id !== older)?.id as string;
    const created = await ada.api.createComment({
      ...on(younger),
      body: { comment: { html_content: 'Mine.' } },
    });
    comment = created.body.comment.id;
    await ada.api.applyTag({ ...on(older), body: { tag: { name: 'Both' } } });
    await ada.api.applyTag({ ...on(younger), body: { tag: { name: 'Both' } } });
    await ada.api.applyTag({ ...on(younger), body: { tag: { name: 'Younger' } } });
    await ada.api.flagThread({ params: { thread_id: younger } });
    await ada.api.markThreadRead({ params: { thread_id: older } });
    await importMail(workspace, ada, mailbox, [mail[1] as Buffer]);
  });
  afterAll(() => workspace?.stop());

  it('become the older one, with all messages', async () => {
    const threads = await listAllThreads(workspace.ada.reader);
    expect(threads).toMatchObject([{ id: older, message_count: 3, flagged: true, read: false }]);
  });

  it('keep comments, which know their thread', async () => {
    const { body } = await workspace.ada.reader.listComments(on(older));
    expect(body.comments).toMatchObject([{ id: comment, html_content: 'Mine.', thread_id: older }]);
  });

  it('keep tags, each counted once', async () => {
    const [thread] = await listAllThreads(workspace.ada.reader);
    expect(thread?.tags?.map((tag) => tag.name).sort()).toEqual(['Both', 'Younger']);
    const { body } = await workspace.ada.reader.listTags();
    expect(body.collection.records.map((tag) => [tag.name, tag.thread_count]).sort()).toEqual([
      ['Both', 1],
      ['Younger', 1],
    ]);
  });

  it('are found under both ids', async () => {
    const { body } = await workspace.ada.reader.retrieveThread({ params: { id: younger } });
    expect(body.thread).toMatchObject({ id: older, message_count: 3 });
    expect((await workspace.ada.api.unflagThread({ params: { thread_id: younger } })).status).toBe(204);
    expect((await listAllThreads(workspace.ada.reader))[0]?.flagged).toBe(false);
    const { body: comments } = await workspace.ada.reader.listComments(on(younger));
    expect(comments.comments).toHaveLength(1);
  });
});
