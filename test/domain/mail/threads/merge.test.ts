import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moveDependents } from '#shared/domain/collaboration/life/carry.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { refreshThread } from '#shared/domain/mail/threads/refresh.ts';
import type { Thread, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { givenThread } from '../../../support/threads.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

describe('two threads that turn out to be one', () => {
  let workspace: Workspace;
  let older: string;
  let younger: string;
  let comment: string;

  const on = (record_id: string) => ({ params: { record_type: 'threads' as const, record_id } });

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
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
      body: { comment: { html_content: younger } },
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

  it('keep comments as they were written, which name their thread', async () => {
    const { body } = await workspace.ada.reader.listComments(on(older));
    expect(body.comments).toMatchObject([{ id: comment, html_content: younger, thread_id: older }]);
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

describe('conversations that stay apart', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  it('a new subject from new people begins a thread, and later recipients do not join them again', async () => {
    const mailbox = await givenMailbox(workspace, workspace.ada);
    const moira = 'Moira <moira@ferries.example>';
    await importMail(workspace, workspace.ada, mailbox, [
      eml({ id: 'f1@x', subject: 'Fleet' }),
      eml({ id: 'h1@x', subject: 'Harbour day', from: moira, references: ['f1@x'] }),
      eml({
        id: 'h2@x',
        date: 'Tue, 03 Nov 2026 10:00:00 +0000',
        subject: 'Re: Harbour day',
        from: moira,
        cc: 'priya@ferries.example',
        references: ['f1@x', 'h1@x'],
      }),
    ]);
    const threads = await listAllThreads(workspace.ada.reader);
    const counts = threads.map((thread) => [thread.subject, thread.message_count]).sort();
    expect(counts).toEqual([
      ['Fleet', 1],
      ['Harbour day', 2],
    ]);
  });

  it('a changed subject among the same people stays in its thread', async () => {
    const mailbox = await givenMailbox(workspace, workspace.grace);
    await importMail(workspace, workspace.grace, mailbox, [
      eml({ id: 'p1@x', subject: 'Prices' }),
      eml({ id: 'p2@x', subject: 'Prices for spring', in_reply_to: 'p1@x' }),
    ]);
    expect(await listAllThreads(workspace.grace.reader)).toMatchObject([{ message_count: 2 }]);
  });

  it('an entry made from newer messages is not replaced by older ones', async () => {
    const mailbox = await givenMailbox(workspace, workspace.linus);
    await importMail(workspace, workspace.linus, mailbox, [eml({ id: 'v1@x', subject: 'Versions' })]);
    const [thread] = await listAllThreads(workspace.linus.reader);
    const key = keys.threadEntry(workspace.linus.user.id, thread?.id as string);
    await workspace.table.update<ThreadEntry>(key, { set: { version: 99, message_count: 42 } });
    const partition = keys.account(workspace.account_id).PK;
    const members = {
      users: await workspace.table.all<User>(partition, 'USER#'),
      mailboxes: await workspace.table.all<Mailbox>(partition, 'MAILBOX#'),
    };
    await refreshThread(workspace.table, thread?.id as string, members);
    expect(await workspace.table.get(key)).toMatchObject({ message_count: 42 });
  });

  it('a tagging that arrives while threads merge is among the tags afterwards', async () => {
    const record_id = (await listAllThreads(workspace.linus.reader))[0]?.id as string;
    const params = { record_type: 'threads' as const, record_id };
    const { body } = await workspace.linus.api.applyTag({ params, body: { tag: { name: 'Late' } } });
    const into = await givenThread(workspace, { users: [workspace.linus] });
    const ref = (id: string) => ({ type: 'threads' as const, id });
    await moveDependents(workspace.ctx, ref(record_id), ref(into.id));
    const thread = await workspace.table.get<Thread>(keys.record('threads', into.id));
    expect([...(thread?.tag_ids ?? [])]).toEqual([body.tagging.tag_id]);
  });
});
