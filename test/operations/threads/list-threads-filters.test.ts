import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../support/mail.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { subjectsOf, type ThreadQuery, threadOf } from '../../support/thread-lists.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const on = (day: number, hour = 9) =>
  new Date(Date.UTC(2026, 10, day, hour)).toUTCString().replace('GMT', '+0000');

const labelled = (labels: string) => [`X-Gmail-Labels: ${labels}`];
const file = [
  'MIME-Version: 1.0',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename=f.pdf',
];
const moira = 'Moira Tan <Moira.Tan@Bellwether.example>';

describe('filters of GET /threads', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let first: string;
  let second: string;

  const kept = (query: ThreadQuery) => subjectsOf(ada.reader, query);
  const newContact = async (name: string, addresses: string[], visibility?: 'private') => {
    const email_addresses = addresses.map((email_address) => ({ email_address }));
    const contact = { name, email_addresses, ...(visibility ? { visibility } : {}) };
    return (await ada.api.createContact({ body: { contact } })).body.contact.id;
  };

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ada = workspace.ada;
    first = await givenMailbox(workspace, ada);
    second = await givenMailbox(workspace, ada);
    const winch = { id: 'winch@x', subject: 'Winch', date: on(1), headers: labelled('Category Personal') };
    await importMail(workspace, ada, first, [
      eml(winch),
      eml({
        id: 'offer@x',
        subject: 'Offer',
        from: moira,
        date: on(3),
        headers: labelled('Category Promotions'),
      }),
      eml({
        id: 'list@x',
        subject: 'List',
        cc: 'MOIRA.tan@bellwether.example',
        date: on(4),
        headers: labelled('Category Forums'),
      }),
      eml({ id: 'file@x', subject: 'File', date: on(5), headers: file }),
    ]);
    await importMail(workspace, ada, second, [
      eml({ id: 'notice@x', subject: 'Notice', date: on(2), headers: labelled('Category Social,Unread') }),
      eml({
        id: 'answer@x',
        subject: 'Re: Winch',
        in_reply_to: 'winch@x',
        from: 'Ada <ada@acme.example>',
        to: 'priya@ferries.example',
        date: on(9),
      }),
    ]);
  });
  afterAll(() => workspace?.stop());

  it('mailbox_id: threads through this mailbox', async () => {
    expect(await kept({ mailbox_id: first })).toEqual(['Winch', 'File', 'List', 'Offer']);
    expect(await kept({ mailbox_id: second })).toEqual(['Winch', 'Notice']);
    expect(await kept({ mailbox_id: second.toUpperCase() })).toEqual(['Winch', 'Notice']);
  });

  it('scope personal: threads in the user’s primary mailbox', async () => {
    expect(await kept({ scope: 'personal' })).toEqual(['Winch', 'File', 'List', 'Offer']);
    await workspace.table.update<User>(keys.user(workspace.account_id, ada.user.id), {
      set: { primary_mailbox_id: second },
    });
    expect(await kept({ scope: 'personal' })).toEqual(['Winch', 'Notice']);
  });

  it('scope personal is empty for a user without a primary mailbox, scope shared where nothing is shared', async () => {
    expect(await subjectsOf(workspace.linus.reader, { scope: 'personal' })).toEqual([]);
    expect(await kept({ scope: 'shared' })).toEqual([]);
  });

  longIt('scope personal is empty while the primary mailbox is one that the user reads no more', async () => {
    const { linus } = workspace;
    const share = async (params: { record_type: 'mailboxes' | 'threads'; record_id: string }) => {
      const body = { share: { user_id: linus.user.id } };
      const { id } = (await ada.api.createShare({ params, body })).body.share;
      return () => ada.api.deleteShare({ params: { ...params, id } });
    };
    const prefer = (primary_mailbox_id: string | null) =>
      linus.api.updateUser({ params: { id: linus.user.id }, body: { user: { primary_mailbox_id } } });
    const { id } = await threadOf(ada.reader, 'Winch');
    const ends = [
      await share({ record_type: 'mailboxes', record_id: first }),
      await share({ record_type: 'threads', record_id: id }),
    ] as const;
    await prefer(first);
    expect(await subjectsOf(linus.reader, { scope: 'personal', subject: 'Winch' })).toEqual(['Winch']);
    await ends[0]();
    expect(await subjectsOf(linus.reader, { scope: 'shared' })).toEqual(['Winch']);
    expect(await subjectsOf(linus.reader, { scope: 'personal' })).toEqual([]);
    await ends[1]();
    await prefer(null);
  });

  it('organization_id: threads with its people, of private ones for those who see them alone', async () => {
    const organization_id = (await givenOrganization(ada)).id;
    const employ = (user: TestUser, address: string, visibility: 'account' | 'private') =>
      user.api.createContact({
        body: {
          contact: {
            ...{ name: 'Employee', visibility, email_addresses: [{ email_address: address }] },
            employments: [{ organization: { id: organization_id } }],
          },
        },
      });
    expect(await kept({ organization_id })).toEqual([]);
    await employ(workspace.grace, 'nobody@nowhere.example', 'account');
    const hidden = await employ(workspace.grace, 'moira.tan@bellwether.example', 'private');
    expect(await kept({ organization_id })).toEqual([]);
    const params = { record_type: 'contacts' as const, record_id: hidden.body.contact.id };
    await workspace.grace.api.createShare({ params, body: { share: { user_id: ada.user.id } } });
    expect(await kept({ organization_id })).toEqual(['List', 'Offer']);
    await workspace.grace.api.deleteContact({ params: { id: hidden.body.contact.id } });
    expect(await kept({ organization_id })).toEqual([]);
  });

  longIt(
    'organization_id, space_id: of more people than there are lists to read, each thread is checked',
    async () => {
      const organization_id = (await givenOrganization(ada)).id;
      const space = { name: 'Everybody', kind: 'records' as const };
      const space_id = (await ada.api.createSpace({ body: { space } })).body.space.id;
      const strangers = Array.from({ length: 1_100 }, (_, i) => `stranger-${i}@crowd.example`);
      for (const owner of ['organizations', 'spaces'] as const) {
        const id = owner === 'spaces' ? space_id : organization_id;
        const addresses = [...strangers, 'moira.tan@bellwether.example'];
        await workspace.table.put({ ...keys.ownerRow(owner, id, 'them'), addresses });
      }
      for (const query of [{ organization_id }, { space_id }]) {
        const { calls } = await countRequestTrips(workspace, ada, async () => {
          expect(await kept(query)).toEqual(['List', 'Offer']);
        });
        expect(calls.length).toBeLessThan(40);
        expect(await kept({ ...query, slice: 'inbox' })).toEqual(['List', 'Offer']);
        expect(await kept({ ...query, subject: 'offer' })).toEqual(['Offer']);
        const { body } = await ada.reader.countThreads({ query });
        expect(body.count).toMatchObject({ total: 2, exact: true });
      }
      expect((await ada.reader.retrieveSpace({ params: { id: space_id } })).body.space.thread_count).toBe(2);
      expect((await ada.reader.listCalendarEvents({ query: { space_id } })).body.collection.records).toEqual(
        [],
      );
    },
  );

  it('contact_id: threads involving one of this contact’s email addresses', async () => {
    const both = await newContact('Both', ['moira.tan@bellwether.example', 'bob@nowhere.example']);
    expect(await kept({ contact_id: both })).toEqual(['List', 'Offer']);
    const priya = await newContact('Priya', ['priya@ferries.example']);
    expect(await kept({ contact_id: priya })).toEqual(['Winch', 'File', 'List', 'Notice']);
    expect(await kept({ contact_id: both, has_attachment: true })).toEqual([]);
  });

  it('a visible contact with no email addresses gives an empty list', async () => {
    expect(await kept({ contact_id: await newContact('Nobody', []) })).toEqual([]);
  });

  it('participant: an email address on the thread, exact match ignoring case', async () => {
    for (const participant of [
      'moira.tan@bellwether.example',
      'MOIRA.TAN@BELLWETHER.EXAMPLE',
      ' Moira.Tan@bellwether.example ',
    ])
      expect(await kept({ participant })).toEqual(['List', 'Offer']);
    for (const participant of ['moira', 'tan@bellwether.example', 'moira.tan@bellwether', 'Moira Tan'])
      expect(await kept({ participant })).toEqual([]);
  });

  it.each([
    ['personal', ['Winch']],
    ['promotion', ['Offer']],
    ['update', ['Notice']],
    ['forum', ['List']],
  ])('category %s: the provider’s classification', async (category, subjects) => {
    expect(await kept({ category })).toEqual(subjects);
  });

  it('unread, flagged, unresolved, has_attachment: true keeps only threads in that state; false behaves as omitted', async () => {
    const of = async (subject: string) => ({
      params: { thread_id: (await threadOf(ada.reader, subject)).id },
    });
    for (const subject of ['Winch', 'Offer', 'List']) await ada.api.markThreadRead(await of(subject));
    await ada.api.flagThread(await of('Offer'));
    for (const subject of ['File', 'Offer']) await ada.api.resolveThread(await of(subject));
    const all = ['Winch', 'File', 'List', 'Offer', 'Notice'];
    const states = {
      unread: ['File', 'Notice'],
      flagged: ['Offer'],
      unresolved: ['Winch', 'List', 'Notice'],
      has_attachment: ['File'],
    };
    for (const [name, subjects] of Object.entries(states)) {
      expect(await kept({ [name]: true })).toEqual(subjects);
      expect(await kept({ [name]: false })).toEqual(all);
    }
    expect(await kept({ unread: false, flagged: false, unresolved: false, has_attachment: false })).toEqual(
      all,
    );
  });

  it.each([
    ['2026-11-01T09:00:00Z', []],
    ['2026-11-01T09:00:00.001Z', ['Winch']],
    ['2026-11-01T10:00:00.001+01:00', ['Winch']],
    ['2026-11-03', ['Winch', 'Notice']],
    ['2026-11-20T00:00:00Z', ['Winch', 'File', 'List', 'Offer', 'Notice']],
    ['9999-12-31', ['Winch', 'File', 'List', 'Offer', 'Notice']],
    ['0001-01-01T00:00:00Z', []],
  ])('first_sent_before %s: threads that started before this time', async (first_sent_before, subjects) => {
    expect(await kept({ first_sent_before })).toEqual(subjects);
  });

  it.each([
    ['2026-11-09T09:00:00Z', []],
    ['2026-11-09T08:59:59.999Z', ['Winch']],
    ['2026-11-04', ['Winch', 'File', 'List']],
    ['0001-01-02', ['Winch', 'File', 'List', 'Offer', 'Notice']],
    ['9999-12-31T23:59:59Z', []],
  ])('last_sent_after %s: threads with a message sent after this time', async (last_sent_after, subjects) => {
    expect(await kept({ last_sent_after })).toEqual(subjects);
  });

  it('a date is midnight in the user’s zone', async () => {
    const zone = (time_zone: string) =>
      workspace.table.update<User>(keys.user(workspace.account_id, ada.user.id), { set: { time_zone } });
    await zone('Pacific/Kiritimati');
    expect(await kept({ first_sent_before: '2026-11-01' })).toEqual([]);
    await zone('Pacific/Niue');
    expect(await kept({ first_sent_before: '2026-11-01' })).toEqual(['Winch']);
    await zone('Europe/London');
  });

  it.each<[ThreadQuery, string[]]>([
    [{ unresolved: true, unread: true }, ['Notice']],
    [{ category: 'forum', participant: 'moira.tan@bellwether.example' }, ['List']],
    [{ category: 'promotion', unread: true }, []],
    [{ first_sent_before: '2026-11-04', last_sent_after: '2026-11-02T12:00:00Z' }, ['Winch', 'Offer']],
    [{ first_sent_before: '2026-11-02', last_sent_after: '2026-11-20' }, []],
    [{ slice: 'inbox', first_sent_before: '2026-11-03' }, ['Notice', 'Winch']],
    [{ slice: 'inbox', unresolved: true, category: 'forum' }, ['List']],
    [{ query: 'winch', last_sent_after: '2026-11-08', scope: 'personal', unresolved: true }, ['Winch']],
    [{ subject: 'off', flagged: true, category: 'promotion' }, ['Offer']],
  ])('all of several filters must match: %j', async (query, subjects) => {
    expect(await kept(query)).toEqual(subjects);
  });

  it('filters echoes the parsed filters as sent, without slice and paging', async () => {
    const query = {
      slice: 'inbox',
      scope: 'personal',
      mailbox_id: first.toUpperCase(),
      query: ' Winch ',
      subject: 'w',
      participant: 'Priya@ferries.example',
      category: 'personal',
      unread: false,
      has_attachment: true,
      first_sent_before: '2026-12-01',
      last_sent_after: '2026-01-01T00:00:00+01:00',
      tag_operator: 'all',
      unknown: 'x',
    } as ThreadQuery;
    const { collection } = (await ada.reader.listThreads({ query })).body;
    const { slice, unknown, ...filters } = query;
    expect(collection.filters).toEqual({ ...filters, mailbox_id: first, query: 'Winch' });
    expect(collection.slice_key).toBe(slice);
    expect(
      (await ada.reader.listThreads({ query: { unknown: 'x' } as ThreadQuery })).body.collection.filters,
    ).toBeNull();
  });

  it('every filter applies to what the key’s user sees', async () => {
    const { grace } = workspace;
    const mailbox = await givenMailbox(workspace, grace);
    const mail = eml({
      id: 'offer@x',
      subject: 'Offer',
      from: moira,
      date: on(3),
      headers: labelled('Inbox'),
    });
    await importMail(workspace, grace, mailbox, [mail]);
    expect(await listAllThreads(grace.reader)).toHaveLength(1);
    for (const query of [
      { flagged: true },
      { category: 'promotion' },
      { mailbox_id: mailbox, participant: 'priya@ferries.example' },
    ] as ThreadQuery[])
      expect(await subjectsOf(grace.reader, query)).toEqual([]);
    for (const query of [{ unresolved: true }, { query: 'offer' }] as ThreadQuery[])
      expect(await subjectsOf(grace.reader, query)).toEqual(['Offer']);
  });
});
