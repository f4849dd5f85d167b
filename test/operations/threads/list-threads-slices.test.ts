import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenEntry, givenMailbox, importMail } from '../../support/mail.ts';
import { subjectsOf, threadOf } from '../../support/thread-lists.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const slices = [
  'inbox',
  'today',
  'workweek',
  'flagged',
  'unread',
  'unreplied',
  'awaiting',
  'has_attachment',
  'unresolved',
  'snoozed',
  'pinned-contacts',
  'shared',
];

const on = (day: number, hour: number) =>
  `${new Date(Date.UTC(2026, 10, day, hour)).toUTCString().replace('GMT', '+0000')}`;

const file = [
  'MIME-Version: 1.0',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename=f.pdf',
];

describe('slices of GET /threads', () => {
  let workspace: Workspace;
  let ada: TestUser;

  const sliceOf = (slice: string, more: Record<string, string | boolean> = {}) =>
    subjectsOf(ada.reader, { slice, ...more });

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ada = workspace.ada;
    const mailbox = await givenMailbox(workspace, ada);
    const me = 'Ada Lovelace <ada@acme.example>';
    await importMail(workspace, ada, mailbox, [
      eml({ id: 'plain@x', subject: 'Plain', date: on(2, 9) }),
      eml({ id: 'file@x', subject: 'File', date: on(3, 9), headers: file }),
      eml({ id: 'answered@x', subject: 'Answered', date: on(1, 9) }),
      eml({
        id: 'answer@x',
        subject: 'Re: Answered',
        in_reply_to: 'answered@x',
        from: me,
        to: 'priya@ferries.example',
        date: on(5, 9),
      }),
      eml({ id: 'mine@x', subject: 'Mine', from: me, to: 'moira@bellwether.example', date: on(4, 9) }),
    ]);
  });
  afterAll(() => workspace?.stop());

  it.each(slices)('%s: the slice sent is echoed as slice_key, and not among the filters', async (slice) => {
    const { collection } = (await ada.reader.listThreads({ query: { slice, flagged: false } })).body;
    expect(collection).toMatchObject({ slice_key: slice, filters: { flagged: false } });
    const alone = (await ada.reader.listThreads({ query: { slice } })).body.collection;
    expect(alone).toMatchObject({ slice_key: slice, filters: null });
  });

  it('without a slice: newest sent first', async () => {
    expect(await subjectsOf(ada.reader)).toEqual(['Answered', 'Mine', 'File', 'Plain']);
  });

  it('inbox sorts by inbox_sort_time, which the user’s own mail does not move', async () => {
    expect(await sliceOf('inbox')).toEqual(['File', 'Plain', 'Answered']);
    const { records } = (await ada.reader.listThreads({ query: { slice: 'inbox' } })).body.collection;
    const times = records.map((thread) => thread.inbox_sort_time as string);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it('inbox together with a filter sorts by inbox_sort_time', async () => {
    expect(await sliceOf('inbox', { participant: 'priya@ferries.example' })).toEqual([
      'File',
      'Plain',
      'Answered',
    ]);
    expect(await sliceOf('inbox', { subject: 'answered' })).toEqual(['Answered']);
    expect(await sliceOf('inbox', { query: 'p' })).toEqual(['Plain']);
    expect(await sliceOf('inbox', { last_sent_after: '2026-11-02' })).toEqual(['File', 'Plain', 'Answered']);
  });

  it('unreplied keeps threads with no message sent from the user’s own address; awaiting is the same', async () => {
    for (const slice of ['unreplied', 'awaiting']) expect(await sliceOf(slice)).toEqual(['File', 'Plain']);
  });

  longIt('unreplied: aliases of the user’s mailbox are own addresses, those of others are not', async () => {
    const { linus, grace } = workspace;
    const draft = { account_id: workspace.account_id, name: 'Ops', email_address: 'ops@acme.example' };
    const own = { ...draft, user_id: linus.user.id, aliases: ['help@acme.example'] };
    const mail = ['ops', 'help', 'sales'].map((name) =>
      eml({
        id: `${name}@x`,
        subject: name,
        from: `${name}@acme.example`,
        to: 'priya@ferries.example',
        date: on(1, 1),
      }),
    );
    await importMail(workspace, linus, (await createMailbox(workspace.table, own, new Date())).id, mail);
    await importMail(workspace, grace, await givenMailbox(workspace, grace), mail);
    expect(await subjectsOf(linus.reader, { slice: 'unreplied' })).toEqual(['sales']);
    expect((await subjectsOf(grace.reader, { slice: 'unreplied' })).sort()).toEqual(['help', 'ops', 'sales']);
  });

  longIt('flagged, unread, unresolved and has_attachment match the filters of the same names', async () => {
    const of = async (subject: string) => ({
      params: { thread_id: (await threadOf(ada.reader, subject)).id },
    });
    await ada.api.flagThread(await of('Plain'));
    await ada.api.markThreadRead(await of('File'));
    await ada.api.resolveThread(await of('Mine'));
    const expected = {
      flagged: ['Plain'],
      unread: ['Answered', 'Plain'],
      unresolved: ['Answered', 'File', 'Plain'],
      has_attachment: ['File'],
    };
    for (const [name, subjects] of Object.entries(expected)) {
      expect(await sliceOf(name)).toEqual(subjects);
      expect(await subjectsOf(ada.reader, { [name]: true })).toEqual(subjects);
      expect(await sliceOf(name, { [name]: true })).toEqual(subjects);
    }
    expect(await sliceOf('unread', { flagged: true })).toEqual(['Plain']);
    expect(await sliceOf('has_attachment', { unread: true })).toEqual([]);
  });

  it('snoozed keeps threads whose snooze has not ended', async () => {
    const snooze = async (subject: string, snooze_until: string) =>
      ada.api.snoozeThread({
        params: { thread_id: (await threadOf(ada.reader, subject)).id },
        body: { snooze_until },
      });
    workspace.setTime(new Date('2026-11-20T09:00:00Z'));
    await snooze('Plain', '2026-11-20T12:00:00Z');
    await snooze('Mine', '2026-11-21T12:00:00Z');
    await snooze('File', '2026-11-20T08:00:00Z');
    expect(await sliceOf('snoozed')).toEqual(['Mine', 'Plain']);
    workspace.setTime(new Date('2026-11-20T12:00:00Z'));
    expect(await sliceOf('snoozed')).toEqual(['Mine']);
    expect(await sliceOf('snoozed', { unread: true })).toEqual([]);
    workspace.setTime(undefined);
  });

  longIt('pinned-contacts keeps threads involving a contact the user pinned', async () => {
    expect(await sliceOf('pinned-contacts')).toEqual([]);
    const pin = async ({ api }: TestUser, email_address: string) => {
      const [held] = (await api.listContacts({ query: { email_address } })).body.collection.records;
      const contact = { email_addresses: [{ email_address }] };
      const { id } = held ?? (await api.createContact({ body: { contact } })).body.contact;
      await api.pinContact({ params: { contact_id: id } });
    };
    await pin(workspace.grace, 'priya@ferries.example');
    expect(await sliceOf('pinned-contacts')).toEqual([]);
    await pin(ada, 'moira@bellwether.example');
    expect(await sliceOf('pinned-contacts')).toEqual(['Mine']);
    await pin(ada, 'priya@ferries.example');
    expect(await sliceOf('pinned-contacts')).toEqual(['Answered', 'Mine', 'File', 'Plain']);
    expect(await sliceOf('pinned-contacts', { has_attachment: true })).toEqual(['File']);
  });

  it('shared keeps threads shared directly with the user, not those shared with a group only', async () => {
    const { hank } = workspace;
    const mailbox = await givenMailbox(workspace, hank, hank.user.account_id);
    const given = (number: number, subject: string, shared_with: ('direct' | 'group')[]) =>
      givenEntry(workspace.table, hank.user, { number, mailbox_ids: [mailbox], subject, shared_with });
    await given(1, 'Alone', []);
    await given(2, 'With me', ['direct']);
    await given(3, 'With my group', ['group']);
    await given(4, 'With both', ['direct', 'group']);
    expect(await subjectsOf(hank.reader, { slice: 'shared' })).toEqual(['With both', 'With me']);
    const scoped = ['With both', 'With my group', 'With me'];
    expect(await subjectsOf(hank.reader, { scope: 'shared' })).toEqual(scoped);
  });
});
