import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { ContactCreation, Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { longIt, STRIDE } from '../../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../../support/mail.ts';
import { runRemovals } from '../../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** docs/specification/mail.md, "Contacts from mail". */

describe('contacts from mail', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  /** Distinguishes the cases: each has people, a domain and subjects of its own. */
  let host: string;
  let number = 0;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace?.stop());
  beforeEach(() => {
    host = `case${++number}.example`;
  });

  let mails = 0;
  const mail = (draft: Partial<Parameters<typeof eml>[0]>) =>
    eml({ id: `${host}-${++mails}@x`, subject: `About ${host}`, ...draft });
  const sent = (to: string, draft: object = {}) => mail({ from: 'Ada <ada@acme.example>', to, ...draft });
  const received = (from: string, draft: object = {}) => mail({ from, to: 'ada@acme.example', ...draft });
  const mailboxOf = (creation: ContactCreation = 'sent', owner = ada) =>
    givenMailbox(workspace, owner, workspace.account_id, creation);
  async function imported(all: Buffer[], creation: ContactCreation = 'sent', owner = ada) {
    await importMail(workspace, owner, await mailboxOf(creation, owner), all);
    return contacts();
  }
  /** Of this case, by name. */
  const contacts = async (user = ada) =>
    (await user.reader.listContacts({ query: { query: host } })).body.collection.records;
  const addresses = async () =>
    (await contacts())
      .flatMap(({ email_addresses }) => email_addresses.map((each) => each.email_address))
      .sort();
  const organizations = async (user = ada) =>
    (await user.reader.listOrganizations({ query: { query: host } })).body.collection.records;

  longIt('are made of addresses that were written to, complete at once', async () => {
    const [contact, ...others] = await imported([
      sent(`"Byron, Augusta" <Gus@${host}>`, { date: 'Mon, 02 Nov 2026 10:00:00 +0000' }),
      received(`Gus <gus@${host}>`, { date: 'Mon, 02 Nov 2026 11:00:00 +0000' }),
      received(`Somebody Else <else@${host}>`),
    ]);
    expect(others).toEqual([]);
    expect(contact).toMatchObject({
      ...{ name: 'Augusta Byron', first_name: 'Augusta', last_name: 'Byron', source: 'mailbox' },
      ...{ visibility: 'account', user_id: ada.user.id, updated_at: null, shares: [], tags: [] },
      email_addresses: [{ email_address: `gus@${host}`, primary: true }],
      employments: [{ current: true, organization: { name: host, domain: host } }],
    });
    const params = { id: contact?.id ?? '' };
    expect((await ada.reader.retrieveContact({ params })).body.contact).toMatchObject({
      ...{ thread_count: 2, last_interaction_at: '2026-11-02T11:00:00.000Z' },
    });
    const [thread] = (await ada.reader.listThreads({ query: { contact_id: params.id } })).body.collection
      .records;
    expect(thread?.participant_list).toContainEqual(
      expect.objectContaining({
        email_address: `gus@${host}`,
        contact: expect.objectContaining({ id: params.id }),
      }),
    );
    const [organization] = await organizations();
    expect(organization).toMatchObject({
      ...{ name: host, domains: [host], visibility: 'account', user_id: ada.user.id },
    });
    const told = (await grace.reader.countNotifications()).body;
    expect(told.count.total).toBe(0);
  });

  it('are found as duplicates', async () => {
    await ada.api.createContact({ body: { contact: { name: `Mary ${host}` } } });
    const [made] = (await imported([sent(`Mary ${host} <m@${host}>`)])).filter(
      ({ source }) => source === 'mailbox',
    );
    const { records } = (await ada.reader.listDuplicates({ params: { contact_id: made?.id ?? '' } })).body
      .collection;
    expect(records).toMatchObject([{ reasons: ['similar_name'] }]);
  });

  const people = () => [
    sent(`A B <to@${host}>`, { cc: `C D <cc@${host}>`, headers: [`Bcc: hidden@${host}`, 'X-A: b'] }),
    received(`E F <wrote@${host}>`),
    received(`Info <info@${host}>`),
    sent(`info-desk@${host}, support@${host}`),
    received(`Machine <no-reply@${host}>`),
    received(`G H <listed@${host}>`, { headers: [`List-Id: <x.${host}>`] }),
    received(`G H <news@${host}>`, { headers: ['List-Unsubscribe: <https://x.example>'] }),
    received(`G H <bulk@${host}>`, { headers: ['Precedence: bulk'] }),
    received(`G H <auto@${host}>`, { headers: ['Auto-Submitted: auto-generated'] }),
    received(`G H <person@${host}>`, { headers: ['Auto-Submitted: no'] }),
  ];
  longIt.each<[ContactCreation, string[]]>([
    ['sent', ['cc', 'info-desk', 'support', 'to']],
    ['all', ['cc', 'info-desk', 'person', 'support', 'to', 'wrote']],
    ['none', []],
  ])('with contact_creation %s', async (creation, locals) => {
    await imported(people(), creation);
    expect(await addresses()).toEqual(locals.map((local) => `${local}@${host}`));
  });

  longIt('are never made of own addresses, machines, lists and what is no address', async () => {
    const id = await mailboxOf('all');
    await workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, id), {
      set: { aliases: ['alias@acme.example'] },
    });
    const never = [
      ...['ada@acme.example', 'grace@acme.example', 'ada+x@acme.example', 'alias@acme.example'],
      ...['noreply', 'mailer-daemon', 'postmaster', 'bounces+1'].map((local) => `${local}@${host}`),
      ...['dev-request', 'dev-unsubscribe'].map((local) => `${local}@${host}`),
      ...[`dev@lists.${host}`, 'dev@googlegroups.com'],
      ...[`"a b"@${host}`, 'ada', `${'a'.repeat(70)}@${host}`],
    ];
    const before = (await ada.reader.countContacts()).body.count.total;
    await importMail(workspace, ada, id, [
      sent(never.join(', ')),
      ...never.map((each) => received(each)),
      sent(never.join(', '), { from: 'alias@acme.example' }),
    ]);
    expect((await ada.reader.countContacts()).body.count.total).toBe(before);
    expect(await organizations()).toEqual([]);
  });

  longIt.each<[string, () => Buffer]>([
    [
      'a stranger with the own address',
      () => sent(`v@${host}`, { headers: ['Received: from evil by mx with ESMTP'] }),
    ],
    ['a stranger with that of a colleague', () => sent(`v@${host}`, { from: 'grace@acme.example' })],
    ['an answer by a machine', () => sent(`v@${host}`, { headers: ['Auto-Submitted: auto-replied'] })],
    ['a circular', () => sent(Array.from({ length: 101 }, (_, i) => `v${i}@${host}`).join(', '))],
  ])('are not made by %s', async (_, one) => {
    expect(await imported([one()])).toEqual([]);
    expect(await organizations()).toEqual([]);
  });

  it('are not made of an address that is on a contact, hidden ones too, which nobody learns', async () => {
    const on = (local: string) => [{ email_address: `${local}@${host}` }];
    await ada.api.createContact({ body: { contact: { name: `Open ${host}`, email_addresses: on('open') } } });
    await grace.api.createContact({
      body: { contact: { name: `Hidden ${host}`, email_addresses: on('hidden'), visibility: 'private' } },
    });
    const before = await organizations();
    const found = await imported([sent(`A B <open@${host}>, C D <hidden@${host}>`)]);
    expect(found.map(({ name }) => name)).toEqual([`Open ${host}`]);
    expect(await organizations()).toEqual(before);
    expect((await contacts(grace)).map(({ name }) => name).sort()).toEqual([
      `Hidden ${host}`,
      `Open ${host}`,
    ]);
  });

  longIt('are made once, however often and in how many mailboxes the mail comes', async () => {
    const all = [sent(`A B <a@${host}>`), sent(`A B <a@${host}>, C D <c@${host}>`)];
    const box = await mailboxOf();
    await Promise.all([importMail(workspace, ada, box, all), importMail(workspace, ada, box, all)]);
    const first = await contacts();
    await importMail(workspace, ada, box, all);
    await Promise.all([imported(all), imported(all)]);
    expect(await contacts()).toEqual(first);
    expect(await addresses()).toEqual([`a@${host}`, `c@${host}`]);
    expect(await organizations()).toHaveLength(1);
  });

  longIt('that were deleted, and their organizations, do not come back with more mail', async () => {
    const [contact] = await imported([sent(`A B <a@${host}>`)]);
    const [organization] = await organizations();
    await ada.api.deleteContact({ params: { id: contact?.id ?? '' } });
    await ada.api.deleteOrganization({ params: { id: organization?.id ?? '' } });
    await runRemovals(workspace);
    const found = await imported([sent(`A B <a@${host}>, C D <c@${host}>`)]);
    expect(found).toMatchObject([{ name: 'C D', employments: [] }]);
    expect(await organizations()).toEqual([]);
  });

  const orders = <T>(all: T[]): T[][] =>
    all.length < 2
      ? [all]
      : all.flatMap((one, i) => orders(all.toSpliced(i, 1)).map((rest) => [one, ...rest]));

  longIt('are the same in any order of the mail, each in an import of its own', async () => {
    const day = (n: number) => ({ date: `Mon, 0${n} Nov 2026 10:00:00 +0000` });
    const step = Math.min(STRIDE, 13);
    for (const [i] of orders([0, 1, 2, 3]).entries()) {
      if (i % step !== 4 % step) continue;
      host = `order${i}.case${number}.example`;
      const all = [
        received(`Gus Byron <gus@${host}>`, day(1)),
        received(`G. Byron <gus@${host}>`, day(2)),
        sent(`gus@${host}`, day(3)),
        sent(`Gus <gus@${host}>`, day(4)),
      ];
      const order = orders([0, 1, 2, 3])[i] as number[];
      const box = await mailboxOf();
      for (const n of order) await importMail(workspace, ada, box, [all[n] as Buffer]);
      const [contact, ...others] = await contacts();
      expect(others).toEqual([]);
      expect(contact, String(order)).toMatchObject({ name: 'Gus Byron', last_name: 'Byron' });
    }
  });

  longIt('belong to the owner of the mailbox that wrote first, whichever is imported first', async () => {
    const early = { date: 'Mon, 02 Nov 2026 10:00:00 +0000' };
    const late = { date: 'Tue, 03 Nov 2026 10:00:00 +0000' };
    const byGrace = (to: string, draft: object) => sent(to, { from: 'grace@acme.example', ...draft });
    await imported([sent(`A B <a@${host}>`, late), sent(`C D <c@${host}>`, early)]);
    await imported([byGrace(`A B <a@${host}>`, early), byGrace(`C D <c@${host}>`, late)], 'sent', grace);
    expect((await contacts()).map(({ name, user_id }) => [name, user_id])).toEqual([
      ['A B', grace.user.id],
      ['C D', ada.user.id],
    ]);
    const mine = await grace.reader.listContacts({ query: { slice: 'mine', query: host } });
    expect(mine.body.collection.records.map(({ name }) => name)).toEqual(['A B']);
  });

  longIt('keep what a user changed', async () => {
    const box = await mailboxOf();
    await importMail(workspace, ada, box, [sent(`a@${host}`)]);
    const [contact] = await contacts();
    expect(contact).toMatchObject({ name: `a@${host}`, first_name: null });
    const params = { id: contact?.id ?? '' };
    await ada.api.updateContact({ params, body: { contact: { headline: host, name: `Boss ${host}` } } });
    await importMail(workspace, ada, box, [received(`A B <a@${host}>`)]);
    expect(await contacts()).toMatchObject([{ name: `Boss ${host}`, first_name: null }]);
  });

  longIt(
    'end when the address is that of a list, unless it writes or somebody has worked with them',
    async () => {
      const box = await mailboxOf();
      const names = ['dev', 'tagged', 'writes'];
      await importMail(workspace, ada, box, [sent(names.map((name) => `${name}@${host}`).join(', '))]);
      const tagged = (await contacts()).find(({ name }) => name.startsWith('tagged'));
      const { tag } = (await ada.api.createTag({ body: { tag: { name: host } } })).body;
      const params = { record_type: 'contacts' as const, record_id: tagged?.id ?? '' };
      await ada.api.applyTag({ params, body: { tag_id: tag.id } });
      await importMail(workspace, ada, box, [
        received(`W W <writes@${host}>`),
        ...names.map((name) => received(`p@${host}`, { headers: [`List-Post: <mailto:${name}@${host}>`] })),
      ]);
      expect(await addresses()).toEqual([`tagged@${host}`, `writes@${host}`]);
      // The other order.
      await importMail(workspace, ada, box, [sent(`dev@${host}`)]);
      expect(await addresses()).toEqual([`tagged@${host}`, `writes@${host}`]);
      await importMail(workspace, ada, box, [received(`dev@${host}`)]);
      expect(await addresses()).toContain(`dev@${host}`);
    },
  );

  longIt('work at the organization of their domain', async () => {
    const { organization } = (
      await ada.api.createOrganization({ body: { organization: { name: `Works ${host}`, domains: [host] } } })
    ).body;
    await grace.api.createOrganization({
      body: { organization: { name: `Own ${host}`, domains: [`own.${host}`], visibility: 'private' } },
    });
    await imported([sent(`A B <a@${host}>, C D <c@mail.${host}>, G H <gh${number}@gmail.com>`)]);
    await imported([sent(`E F <e@own.${host}>`, { from: 'grace@acme.example' })], 'sent', grace);
    const jobs = (await contacts()).map(({ name, employments }) => [
      name,
      employments[0]?.organization?.name,
    ]);
    expect(jobs).toEqual([
      ['A B', `Works ${host}`],
      ['C D', `Works ${host}`],
      ['E F', `Works ${host}`],
    ]);
    const gmail = (await ada.reader.listContacts({ query: { query: `gh${number}` } })).body.collection
      .records;
    expect(gmail).toMatchObject([{ name: 'G H', employments: [] }]);
    expect(
      (await ada.reader.retrieveOrganization({ params: { id: organization.id } })).body.organization,
    ).toMatchObject({
      contact_count: 3,
    });
  });

  longIt(
    'get no organization by a domain of the account, nor by a private one, which nobody learns',
    async () => {
      await imported([sent(`A ${host} <a${number}@acme.example>, B ${host} <b${number}@hr.acme.example>`)]);
      expect((await contacts()).map(({ employments }) => employments)).toEqual([[], []]);
      const secret = { name: `Secret ${host}`, domains: [host], visibility: 'private' as const };
      await ada.api.createOrganization({ body: { organization: secret } });
      const other = `other-${number}.example`;
      await grace.api.createOrganization({ body: { organization: { ...secret, domains: [other] } } });
      const found = await imported([sent(`C ${host} <c@${host}>, D ${host} <d@${other}>`)]);
      const jobs = found.map(({ employments }) => employments.map(({ organization }) => organization?.name));
      expect(jobs).toEqual([[], [], [], [other]]);
      const { records } = (await ada.reader.listOrganizations({ query: { domain: other } })).body.collection;
      expect(records).toMatchObject([{ name: other, user_id: ada.user.id }]);
    },
  );

  longIt('of mail that was imported before are made when it is imported again', async () => {
    const all = [sent(`A B <a@${host}>`), received(`C D <c@${host}>`)];
    const id = await mailboxOf('none');
    await importMail(workspace, ada, id, all);
    expect(await contacts()).toEqual([]);
    await ada.api.updateMailbox({ params: { id }, body: { mailbox: { contact_creation: 'all' } } });
    expect(await contacts()).toEqual([]);
    await importMail(workspace, ada, id, all);
    expect(await addresses()).toEqual([`a@${host}`, `c@${host}`]);
  });

  longIt('are not made for a user who is no longer active, nor in another account', async () => {
    const [other] = await givenAccount(workspace, 1);
    await imported([sent(`A B <a@${host}>`)]);
    expect((await other?.reader.listContacts())?.body.collection.records).toEqual([]);
    const box = await mailboxOf('sent', workspace.linus);
    const key = keys.user(workspace.account_id, workspace.linus.user.id);
    await workspace.table.update<User>(key, { set: { status: 'deactivated' as never } });
    await importMail(workspace, workspace.linus, box, [
      sent(`C D <c@${host}>`, { from: 'linus@acme.example' }),
    ]);
    expect(await addresses()).toEqual([`a@${host}`]);
  });
});
