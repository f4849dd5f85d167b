import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longIt } from '../../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../../support/mail.ts';
import { giveMailbox } from '../../../support/mailbox-access.ts';
import { threadOf } from '../../../support/thread-lists.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

describe('notes of the owner’s mail program on imported mail', () => {
  let workspace: Workspace;
  let mailbox: string;
  const bring = (id: string, labels: string, in_reply_to?: string) =>
    importMail(workspace, workspace.ada, mailbox, [
      eml({
        id: `${id}@x`,
        subject: in_reply_to ? `Re: ${in_reply_to}` : id,
        ...(in_reply_to ? { in_reply_to: `${in_reply_to}@x`, date: 'Tue, 03 Nov 2026 10:00:00 +0000' } : {}),
        headers: [`X-Gmail-Labels: ${labels}`],
      }),
    ]);
  const seen = (subject: string, user: 'ada' | 'grace' = 'ada') => threadOf(workspace[user].reader, subject);

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    mailbox = await givenMailbox(workspace, workspace.ada);
    await giveMailbox(workspace, workspace.grace, mailbox);
  });
  afterAll(() => workspace?.stop());

  it.each([
    ['Old', 'Archived,Opened', { read: true, flagged: false }],
    ['New', 'Inbox,Unread', { read: false, flagged: false }],
    ['Starred', 'Inbox,Starred', { read: true, flagged: true }],
    ['Both', 'Inbox,Starred,Unread', { read: false, flagged: true }],
  ])('%s thread: %s', async (id, labels, expected) => {
    await bring(id, labels);
    expect(await seen(id)).toMatchObject(expected);
    expect(await seen(id, 'grace'), 'it is the owner’s').toMatchObject({ read: false, flagged: false });
  });

  it('without a note the thread starts unread', async () => {
    await importMail(workspace, workspace.ada, mailbox, [eml({ id: 'none@x', subject: 'None' })]);
    expect(await seen('None')).toMatchObject({ read: false, flagged: false });
  });

  it('status lines of an mbox are such notes', async () => {
    const headers = ['Status: RO', 'X-Status: F'];
    await importMail(workspace, workspace.ada, mailbox, [eml({ id: 'mutt@x', subject: 'Mutt', headers })]);
    expect(await seen('Mutt')).toMatchObject({ read: true, flagged: true });
  });

  it('mail that was read elsewhere leaves the thread as it is; unread mail makes it unread and reopens it', async () => {
    await bring('Long', 'Opened');
    const thread_id = (await seen('Long')).id;
    await workspace.ada.api.resolveThread({ params: { thread_id } });
    await bring('Long-2', 'Opened,Starred', 'Long');
    expect(await seen('Long')).toMatchObject({ message_count: 2, read: true, resolved: true, flagged: true });
    await workspace.ada.api.unflagThread({ params: { thread_id } });
    await bring('Long-3', 'Inbox,Unread', 'Long');
    expect(await seen('Long')).toMatchObject({
      message_count: 3,
      read: false,
      resolved: false,
      flagged: false,
    });
  });

  longIt(
    'an answer that was read elsewhere ends the mark of a thread of own mail alone, and no other mark',
    async () => {
      const { ada } = workspace;
      const from = `Ada <${ada.user.email_address}>`;
      const reply = (n: number, options: object) => {
        const date = `Tue, 03 Nov 2026 1${n}:00:00 +0000`;
        const mail = { id: `own-${n}@x`, subject: 'Own', references: ['own-1@x'], date, ...options };
        return importMail(workspace, ada, mailbox, [eml(mail)]);
      };
      await reply(1, { from, references: [] });
      const markUnread = async () =>
        ada.api.markThreadUnread({ params: { thread_id: (await seen('Own')).id } });
      await markUnread();
      await reply(2, { from });
      expect(await seen('Own')).toMatchObject({ message_count: 2, read: false });
      await reply(3, { headers: ['Status: RO'] });
      expect(await seen('Own')).toMatchObject({ message_count: 3, read: true });
      await markUnread();
      await reply(4, { headers: ['Status: RO'] });
      expect(await seen('Own')).toMatchObject({ message_count: 4, read: false });
    },
  );

  it('a category is that of the own mailbox, whatever provider of a colleague had the message first', async () => {
    const { linus } = workspace;
    const own = await givenMailbox(workspace, linus);
    const message = (label: string) => [
      eml({ id: 'sorted@x', subject: 'Sorted', headers: [`X-Gmail-Labels: ${label}`] }),
    ];
    const promotions = async (user: TestUser) => {
      const found = await user.reader.listThreads({ query: { category: 'promotion' } });
      return found.body.collection.records.map(({ subject }) => subject);
    };
    await importMail(workspace, workspace.ada, mailbox, message('Category promotions'));
    await importMail(workspace, linus, own, message('Inbox'));
    expect(await promotions(workspace.ada)).toEqual(['Sorted']);
    expect(await promotions(linus)).toEqual([]);
  });

  it('a message that another mailbox had already brings the notes of this one', async () => {
    const { linus } = workspace;
    const own = await givenMailbox(workspace, linus);
    const message = (labels: string) => [
      eml({ id: 'twice@x', subject: 'Twice', headers: [`X-Gmail-Labels: ${labels}`] }),
    ];
    await importMail(workspace, workspace.ada, mailbox, message('Inbox,Unread'));
    await importMail(workspace, linus, own, message('Inbox,Starred'));
    expect(await threadOf(linus.reader, 'Twice')).toMatchObject({ read: true, flagged: true });
    expect(await seen('Twice')).toMatchObject({ read: false, flagged: false });
  });
});
