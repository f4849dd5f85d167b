import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { giveMailbox, takeMailbox } from '../../support/mailbox-access.ts';
import { measureTable, splitCost } from '../../support/meter.ts';
import { threadOf } from '../../support/thread-lists.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const me = 'Ada Lovelace <ada@acme.example>';

describe('the fields of a thread', () => {
  const first = eml({
    id: '1@x',
    subject: 'Winch',
    text: 'The winch squeaks.\r\nBadly.',
    date: 'Mon, 02 Nov 2026 10:00:00 +0000',
  });
  let workspace: Workspace;
  let ada: TestUser;
  let mailbox: string;
  let id: string;
  const retrieve = async (user = ada) => (await user.reader.retrieveThread({ params: { id } })).body.thread;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ada = workspace.ada;
    mailbox = await givenMailbox(workspace, ada);
    await importMail(workspace, ada, mailbox, [
      first,
      eml({
        id: '2@x',
        subject: 'Re: Winch',
        in_reply_to: '1@x',
        from: 'Priya Raman <priya@ferries.example>',
        text: 'It stopped.',
        date: 'Tue, 03 Nov 2026 10:00:00 +0000',
      }),
      eml({
        id: '3@x',
        subject: 'Re: Winch',
        in_reply_to: '2@x',
        from: me,
        to: 'priya@ferries.example, Bob <bob@ferries.example>',
        text: 'Thank you.',
        date: 'Wed, 04 Nov 2026 10:00:00 +0000',
      }),
    ]);
    id = (await threadOf(ada.reader, 'Winch')).id;
  });
  afterAll(() => workspace?.stop());

  const fields = () => ({
    id,
    subject: 'Winch',
    snippet: 'Thank you.',
    headline: null,
    summary: null,
    message_count: 3,
    has_attachments: false,
    read: false,
    flagged: false,
    resolved: false,
    snooze_until: null,
    mailbox_ids: [mailbox],
    inbox_sort_time: '2026-11-03T10:00:00.000Z',
    first_sent_at: '2026-11-02T10:00:00.000Z',
    last_sent_at: '2026-11-04T10:00:00.000Z',
    last_message: {
      id: expect.any(String),
      sent_at: '2026-11-04T10:00:00.000Z',
      from_email_address: 'ada@acme.example',
      from_name: 'Ada Lovelace',
    },
    participant_count: 3,
    participants: {
      'priya@ferries.example': 'Priya Raman',
      'ada@acme.example': 'Ada Lovelace',
      'bob@ferries.example': 'Bob',
    },
    participant_names: {
      'priya@ferries.example': 'Priya Raman',
      'ada@acme.example': 'Ada Lovelace',
      'bob@ferries.example': 'Bob',
    },
    participant_list: expect.toSatisfy((list: { email_address: string }[]) => {
      const people = list.toSorted((a, b) => (a.email_address < b.email_address ? -1 : 1));
      expect(people).toEqual([
        { email_address: 'ada@acme.example', name: 'Ada Lovelace', contact: null },
        { email_address: 'bob@ferries.example', name: 'Bob', contact: null },
        { email_address: 'priya@ferries.example', name: 'Priya Raman', contact: null },
      ]);
      return true;
    }),
    tags: [],
    shares: [],
    pending_messages: [],
  });

  it('a list has these and no others: messages empty, tasks and comments null', async () => {
    expect(await threadOf(ada.reader, 'Winch')).toEqual({
      ...fields(),
      messages: [],
      tasks: null,
      comments: null,
    });
  });

  it('retrieving fills messages, tasks and comments', async () => {
    const thread = await retrieve();
    expect(thread).toEqual({ ...fields(), messages: thread.messages, tasks: [], comments: [] });
    expect(thread.messages?.map((message) => message.snippet)).toEqual([
      'The winch squeaks. Badly.',
      'It stopped.',
      'Thank you.',
    ]);
  });

  it('the last message is the newest of those retrieved', async () => {
    const { messages, last_message } = await retrieve();
    expect(last_message?.id).toBe(messages?.at(-1)?.id);
  });

  it('reading a thread changes nothing: nothing is written', async () => {
    const cost = await measureTable(workspace.table, () => retrieve());
    expect(splitCost(cost, 'read').operation.writes).toBe(0);
    expect((await retrieve()).read).toBe(false);
  });

  longIt('comments, tags and resolving do not change read', async () => {
    const params = { record_type: 'threads' as const, record_id: id };
    const act = async () => {
      const comment = { html_content: '<p>Note</p>' };
      await ada.api.createComment({ params, body: { comment } });
      const { body } = await ada.api.applyTag({ params, body: { tag: { name: 'Deck' } } });
      await ada.api.removeTag({ params: { ...params, tag_id: body.tagging.tag_id } });
      await ada.api.resolveThread({ params: { thread_id: id } });
      await ada.api.reopenThread({ params: { thread_id: id } });
      await ada.api.flagThread({ params: { thread_id: id } });
      await ada.api.unflagThread({ params: { thread_id: id } });
    };
    await act();
    expect((await retrieve()).read).toBe(false);
    await ada.api.markThreadRead({ params: { thread_id: id } });
    await act();
    expect((await retrieve()).read).toBe(true);
  });

  it('participants are contacts only where the key’s user sees them', async () => {
    const email_addresses = [{ email_address: 'bob@ferries.example' }];
    const contact = { name: 'Bob of Grace', visibility: 'private' as const, email_addresses };
    const { body } = await workspace.grace.api.createContact({ body: { contact } });
    await giveMailbox(workspace, workspace.grace, mailbox);
    expect((await retrieve()).participants['bob@ferries.example']).toBe('Bob');
    expect((await retrieve(workspace.grace)).participants['bob@ferries.example']).toEqual({
      id: body.contact.id,
      name: 'Bob of Grace',
    });
  });

  it('a thread that was just opened to the user is available at once, unread', async () => {
    const { linus } = workspace;
    expect(await codeOf(linus.reader.retrieveThread({ params: { id } }))).toBe('404 record_not_found');
    await giveMailbox(workspace, linus, mailbox);
    expect(await retrieve(linus)).toMatchObject({
      message_count: 3,
      read: false,
      mailbox_ids: [mailbox],
      inbox_sort_time: '2026-11-04T10:00:00.000Z',
    });
    await takeMailbox(workspace, linus, mailbox);
    expect(await codeOf(linus.reader.retrieveThread({ params: { id } }))).toBe('404 record_not_found');
  });

  it('messages that reached only a mailbox without access any more are hidden at once, in every field', async () => {
    const { grace } = workspace;
    const own = await givenMailbox(workspace, grace);
    const secret = eml({
      id: '4@x',
      subject: 'Re: Winch',
      in_reply_to: '1@x',
      from: 'Eve <eve@hidden.example>',
      text: 'Only for this one.',
      date: 'Thu, 05 Nov 2026 10:00:00 +0000',
    });
    await importMail(workspace, grace, own, [first, secret]);
    expect(await retrieve(grace)).toMatchObject({ message_count: 4, snippet: 'Only for this one.' });
    expect(await retrieve()).toMatchObject({ message_count: 3, snippet: 'Thank you.' });
    await takeMailbox(workspace, grace, own);
    const seen = await retrieve(grace);
    expect(seen).toMatchObject({ message_count: 3, last_sent_at: '2026-11-04T10:00:00.000Z' });
    expect(JSON.stringify(seen)).not.toMatch(/hidden|Only for/);
  });
});
