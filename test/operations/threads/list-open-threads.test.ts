import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longIt } from '../../support/long.ts';
import { eml, givenEntry, givenMailbox, importMail } from '../../support/mail.ts';
import { takeMailbox } from '../../support/mailbox-access.ts';
import { threadOf } from '../../support/thread-lists.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const NOW = new Date('2026-11-20T09:00:00Z');
const DAY = 86_400_000;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY).toUTCString().replace('GMT', '+0000');

describe('GET /threads/open', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let mailbox: string;

  const open = async (user = ada) => (await user.reader.listOpenThreads()).body.inbox;
  const subjects = async (user = ada) => {
    const { unread, flagged, other } = await open(user);
    const sorted = (entries: typeof unread) => entries.map((entry) => entry.subject).sort();
    return { unread: sorted(unread), flagged: sorted(flagged), other: sorted(other) };
  };
  const of = async (subject: string) => ({ params: { thread_id: (await threadOf(ada.reader, subject)).id } });

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ada = workspace.ada;
    mailbox = await givenMailbox(workspace, ada);
    const me = 'Ada Lovelace <ada@acme.example>';
    await importMail(workspace, ada, mailbox, [
      eml({ id: 'new@x', subject: 'New', date: daysAgo(1), cc: 'Moira <moira@bellwether.example>' }),
      eml({
        id: 'edge@x',
        subject: 'Edge',
        date: daysAgo(14),
        headers: ['X-Gmail-Labels: Category Updates,Unread'],
      }),
      eml({ id: 'old@x', subject: 'Old', date: daysAgo(14 + 1 / 86_400) }),
      eml({ id: 'sent@x', subject: 'Sent', from: me, to: 'priya@ferries.example', date: daysAgo(1) }),
      eml({ id: 'long@x', subject: 'Long', date: daysAgo(30) }),
      eml({ id: 'long-2@x', subject: 'Re: Long', from: me, in_reply_to: 'long@x', date: daysAgo(1) }),
      eml({ id: 'back@x', subject: 'Back', date: daysAgo(40) }),
      eml({ id: 'back-2@x', subject: 'Re: Back', in_reply_to: 'back@x', date: daysAgo(2) }),
    ]);
    workspace.setTime(NOW);
  });
  afterAll(() => workspace?.stop());

  it('has every thread that received a message in the last 14 days, own mail not counted', async () => {
    expect(await subjects()).toEqual({ unread: ['Back', 'Edge', 'New'], flagged: [], other: [] });
  });

  it('the window moves with the time', async () => {
    workspace.setTime(new Date(NOW.getTime() + DAY));
    expect((await subjects()).unread).toEqual(['Back', 'New']);
    workspace.setTime(NOW);
  });

  it('an entry has the fields of the specification, and no messages, participants, tasks, comments, tags or shares', async () => {
    const { unread } = await open();
    const thread = await threadOf(ada.reader, 'Edge');
    const {
      messages,
      participants,
      participant_list,
      tasks,
      comments,
      tags,
      shares,
      pending_messages,
      ...common
    } = thread;
    expect(unread.find((entry) => entry.subject === 'Edge')).toEqual({
      ...common,
      category: 'update',
      sender_email_addresses: ['priya@ferries.example'],
      participant_email_addresses: expect.arrayContaining(['ada@acme.example', 'priya@ferries.example']),
    });
  });

  it('names everyone who sent a message, and all participants', async () => {
    const { unread } = await open();
    const entry = unread.find(({ subject }) => subject === 'New');
    expect(entry?.participant_email_addresses.toSorted()).toEqual([
      'ada@acme.example',
      'moira@bellwether.example',
      'priya@ferries.example',
    ]);
    expect(entry).toMatchObject({
      category: null,
      sender_email_addresses: ['priya@ferries.example'],
      participant_names: {
        'priya@ferries.example': 'Priya',
        'ada@acme.example': null,
        'moira@bellwether.example': 'Moira',
      },
      mailbox_ids: [mailbox],
    });
  });

  it('each thread is in one group: unread, or read and flagged, or read and not flagged', async () => {
    await ada.api.flagThread(await of('New'));
    expect(await subjects()).toEqual({ unread: ['Back', 'Edge', 'New'], flagged: [], other: [] });
    await ada.api.markThreadRead(await of('New'));
    await ada.api.markThreadRead(await of('Back'));
    expect(await subjects()).toEqual({ unread: ['Edge'], flagged: ['New'], other: ['Back'] });
    await ada.api.unflagThread(await of('New'));
    expect(await subjects()).toEqual({ unread: ['Edge'], flagged: [], other: ['Back', 'New'] });
  });

  it('leaves out threads that the user resolved, and has them again when reopened', async () => {
    await ada.api.resolveThread(await of('Edge'));
    expect(await subjects()).toEqual({ unread: [], flagged: [], other: ['Back', 'New'] });
    await ada.api.reopenThread(await of('Edge'));
    expect((await subjects()).unread).toEqual(['Edge']);
  });

  it('includes snoozed threads', async () => {
    const snooze_until = '2026-12-24T00:00:00Z';
    await ada.api.snoozeThread({ ...(await of('Edge')), body: { snooze_until } });
    expect((await open()).unread).toMatchObject([{ subject: 'Edge', snooze_until }]);
  });

  longIt('takes no parameters, and is not paginated', async () => {
    const { linus } = workspace;
    const many = await givenMailbox(workspace, linus);
    workspace.setTime(new Date(Date.UTC(2026, 0, 2)));
    await Promise.all(
      Array.from({ length: 260 }, (_, number) =>
        givenEntry(workspace.table, linus.user, { number, mailbox_ids: [many], subject: `Row ${number}` }),
      ),
    );
    const response = await fetch(`${workspace.url}/threads/open?limit=1&next_cursor=x&unread=maybe`, {
      headers: { Authorization: `Bearer ${linus.read_key}` },
    });
    const { inbox } = (await response.json()) as { inbox: Awaited<ReturnType<typeof open>> };
    expect(Object.keys(inbox)).toEqual(['unread', 'flagged', 'other']);
    expect(new Set(inbox.other.map((entry) => entry.subject)).size).toBe(260);
    workspace.setTime(NOW);
  });

  it('shows nothing to users without a mailbox, nor of a mailbox without access any more', async () => {
    expect(await open(workspace.hank)).toEqual({ unread: [], flagged: [], other: [] });
    await takeMailbox(workspace, ada, mailbox);
    expect(await open()).toEqual({ unread: [], flagged: [], other: [] });
  });
});
