import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenEntry, givenMailbox, importMail, listAllThreads } from '../../support/mail.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

const at = (minute: number) =>
  new Date(Date.UTC(2026, 10, 2, 10, minute)).toUTCString().replace('GMT', '+0000');

describe('GET /threads', () => {
  let workspace: Workspace;
  let mailboxes: { ada: string; second: string; grace: string };

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    const { ada, grace } = workspace;
    mailboxes = {
      ada: await givenMailbox(workspace, ada),
      second: await givenMailbox(workspace, ada),
      grace: await givenMailbox(workspace, grace),
    };
    // 60 threads of Ada; every third reached Grace as well, and Grace alone has the last reply of thread 0.
    const mail = Array.from({ length: 60 }, (_, i) =>
      eml({ id: `t${i}@x`, subject: `Topic ${i}`, date: at(i), cc: 'grace@acme.example' }),
    );
    await importMail(workspace, ada, mailboxes.ada, mail);
    await importMail(
      workspace,
      grace,
      mailboxes.grace,
      mail.filter((_, i) => i % 3 === 0),
    );
    const hidden = { id: 'answer@x', subject: 'Re: Topic 0', date: at(90), in_reply_to: 't0@x' };
    await importMail(workspace, grace, mailboxes.grace, [
      eml({
        ...hidden,
        from: 'Secret <secret@hidden.example>',
        to: 'grace@acme.example',
        text: 'Between us.',
      }),
    ]);
    await importMail(workspace, ada, mailboxes.second, [
      eml({
        id: 'own@x',
        from: 'Ada Lovelace <ada@acme.example>',
        to: 'priya@ferries.example',
        date: at(80),
      }),
    ]);
  });
  afterAll(() => workspace?.stop());

  it('returns pages of 50, newest sent first, forward only', async () => {
    const { status, body } = await workspace.ada.reader.listThreads();
    expect(status).toBe(200);
    expect(body.collection.records).toHaveLength(50);
    expect(body.collection.page_info).toMatchObject({
      limit: 50,
      prev_cursor: null,
      has_more_after: true,
      has_more_before: false,
    });
    const times = body.collection.records.map((thread) => thread.last_sent_at as string);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it('gives each thread once over all pages', async () => {
    const threads = await listAllThreads(workspace.ada.reader);
    expect(threads).toHaveLength(61);
    expect(new Set(threads.map((thread) => thread.id)).size).toBe(61);
  });

  it('has messages empty and tasks and comments null', async () => {
    const { body } = await workspace.ada.reader.listThreads();
    for (const thread of body.collection.records)
      expect(thread).toMatchObject({ messages: [], tasks: null, comments: null, tags: [], shares: [] });
  });

  it('shows a thread that reached several mailboxes once, with the mailboxes the user has', async () => {
    const threads = await listAllThreads(workspace.ada.reader);
    const topic = threads.filter((thread) => thread.subject === 'Topic 3');
    expect(topic).toHaveLength(1);
    expect(topic[0]?.mailbox_ids).toEqual([mailboxes.ada]);
  });

  it('does not count, sort by or name messages that reached only a hidden mailbox', async () => {
    const seenBy = async (user: 'ada' | 'grace') =>
      (await listAllThreads(workspace[user].reader)).find((thread) => thread.subject === 'Topic 0');
    const mine = await seenBy('ada');
    expect(mine).toMatchObject({
      message_count: 1,
      snippet: 'Hello.',
      last_sent_at: '2026-11-02T10:00:00.000Z',
    });
    expect(JSON.stringify(mine)).not.toContain('hidden.example');
    expect(await seenBy('grace')).toMatchObject({ message_count: 2, snippet: 'Between us.' });
  });

  it('takes inbox_sort_time from received mail only', async () => {
    const own = (await listAllThreads(workspace.ada.reader)).find((thread) =>
      thread.mailbox_ids.includes(mailboxes.second),
    );
    expect(own).toMatchObject({
      inbox_sort_time: null,
      last_sent_at: '2026-11-02T11:20:00.000Z',
      read: true,
    });
  });

  it('maps participants to a visible contact, else to the name in the headers, else to null', async () => {
    const draft = { name: 'Priya R.', email_addresses: [{ email_address: 'priya@ferries.example' }] };
    const { body } = await workspace.grace.api.createContact({ body: { contact: draft } });
    const [thread] = (await workspace.ada.reader.listThreads({ query: { mailbox_id: mailboxes.ada } })).body
      .collection.records;
    expect(thread?.participants).toEqual({
      'priya@ferries.example': { id: body.contact.id, name: 'Priya R.' },
      'ada@acme.example': null,
      'grace@acme.example': null,
    });
    expect(thread?.participant_names).toMatchObject({ 'priya@ferries.example': 'Priya' });
  });

  it('keeps the state of each user apart', async () => {
    const topic = (await listAllThreads(workspace.grace.reader)).find(
      (thread) => thread.subject === 'Topic 3',
    );
    await workspace.grace.api.flagThread({ params: { thread_id: topic?.id as string } });
    const seen = (await listAllThreads(workspace.ada.reader)).find((thread) => thread.id === topic?.id);
    expect(seen?.flagged).toBe(false);
  });

  it('shows nothing to users without a mailbox and to other accounts', async () => {
    for (const user of [workspace.linus, workspace.hank])
      expect(await listAllThreads(user.reader)).toEqual([]);
  });

  it('shows nothing of a mailbox as soon as it is no longer the user’s', async () => {
    const { linus, table } = workspace;
    const mailbox = await givenMailbox(workspace, linus);
    await givenEntry(table, linus.user, { number: 9_000, mailbox_ids: [mailbox], subject: 'Mine' });
    expect(await listAllThreads(linus.reader)).toMatchObject([{ subject: 'Mine' }]);
    const key = { PK: linus.user.PK, SK: linus.user.SK };
    await table.update<User>(key, { remove: [['mailboxes', mailbox]] });
    expect(await listAllThreads(linus.reader)).toEqual([]);
  });

  longIt('counts attachments, but not images that belong to the text', async () => {
    const mailbox = await givenMailbox(workspace, workspace.hank, workspace.hank.user.account_id);
    const part = (disposition: string, type: string) =>
      `--b\r\nContent-Type: text/html\r\n\r\n<p>Hi</p><img src="cid:i@x">\r\n--b\r\nContent-Type: ${type}\r\nContent-Disposition: ${disposition}\r\n\r\nbytes\r\n--b--`;
    const headers = ['MIME-Version: 1.0', 'Content-Type: multipart/related; boundary=b'];
    await importMail(workspace, workspace.hank, mailbox, [
      eml({
        id: 'inline@x',
        subject: 'Inline',
        headers,
        text: part('inline; filename=i.png\r\nContent-ID: <i@x>', 'image/png'),
      }),
      eml({
        id: 'file@x',
        subject: 'File',
        headers,
        text: part('attachment; filename=f.pdf', 'application/pdf'),
      }),
    ]);
    const threads = await listAllThreads(workspace.hank.reader);
    expect(Object.fromEntries(threads.map((thread) => [thread.subject, thread.has_attachments]))).toEqual({
      Inline: false,
      File: true,
    });
  });
});
