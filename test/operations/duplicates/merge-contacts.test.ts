import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContactRecord } from '#shared/domain/crm/contacts/contact.ts';
import { type MergeOptions, mergeCall, mergeInto, mergeWhole } from '../../support/duplicates.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { givenGroup } from '../../support/groups.ts';
import { openJobs } from '../../support/jobs.ts';
import { cases, longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { givenOrganization, readOrganization } from '../../support/organizations.ts';
import { givenContact, readContact } from '../../support/proposals.ts';
import { comment, comments, runRemovals, tag } from '../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const addresses = (...all: string[]) => all.map((email_address) => ({ email_address }));

/** A contact without what a retrieved one has besides. */
const plain = ({ comments: _, tasks: __, thread_count: ___, ...rest }: ContactRecord) => rest;

/** Numbered texts, so that nothing is in two of them. */
const many = (count: number, text: (i: number) => object) => Array.from({ length: count }, (_, i) => text(i));

type ListField = 'email_addresses' | 'phone_numbers' | 'links' | 'addresses' | 'employments';
type Limit = [field: ListField, most: number, entry: (i: number) => object];

describe('POST /contacts/{contact_id}/merge', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true, files: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const share = (record_id: string, draft: object, user = ada) =>
    user.api.createShare({ params: { record_type: 'contacts', record_id }, body: { share: draft } });
  const found = async (user: TestUser, query: object) =>
    (await user.reader.listContacts({ query })).body.collection.records.map(({ id }) => id);
  const refusalOf = (into: string, from: string, options: MergeOptions = {}, user = ada) =>
    codeOf(mergeCall(user, into, from, options));

  it('200: keeps every entry of both, the own ones first, what both have once, and one primary', async () => {
    const { id: organization } = await givenOrganization(ada, { name: 'Analytical Engines' });
    const job = { title: 'Analyst', organization: { id: organization }, started_on: '1843-01-01' };
    const into = await givenContact(ada, {
      email_addresses: addresses('ada@one.example', 'ada@two.example'),
      phone_numbers: [{ phone_number: '+44 20 7946 0123' }],
      links: [{ url: 'https://ada.example/a' }],
      addresses: [{ city: 'London', country: 'GB' }],
      employments: [job],
    });
    const from = await givenContact(ada, {
      email_addresses: addresses('ada@three.example'),
      phone_numbers: [{ phone_number: '+442079460123', label: 'work' }, { phone_number: '555 0199 00' }],
      links: [{ url: 'https://ada.example/b' }, { url: 'https://ada.example/a' }],
      addresses: [{ city: 'Leeds' }, { city: 'London', country: 'GB', label: 'home' }],
      employments: [job, { title: 'Poet', current: false }],
    });
    const { status, body } = await mergeCall(ada, into.id, from.id);
    expect(status).toBe(200);
    expect(body.contact).toMatchObject({
      id: into.id,
      name: into.name,
      email_addresses: [
        { id: into.email_addresses[0]?.id, email_address: 'ada@one.example', primary: true },
        { email_address: 'ada@two.example', primary: false },
        { id: from.email_addresses[0]?.id, email_address: 'ada@three.example', primary: false },
      ],
      phone_numbers: [
        { phone_number: '+44 20 7946 0123', primary: true, label: 'work' },
        { phone_number: '555 0199 00', primary: false },
      ],
      links: [{ url: 'https://ada.example/a' }, { url: 'https://ada.example/b' }],
      addresses: [{ city: 'London', label: 'home' }, { city: 'Leeds' }],
      employments: [{ title: 'Analyst' }, { title: 'Poet' }],
      merged_ids: [from.id],
    });
    expect(body.contact.email_addresses).toHaveLength(3);
    expect(plain(await readContact(ada, into.id))).toEqual(plain(body.contact));
    const { employments } = await readOrganization(ada, organization);
    expect(employments?.map(({ contact }) => contact?.id)).toEqual([into.id]);
  });

  it('the losing id is 404 for every operation, its address, words and external id lead to the survivor', async () => {
    const into = await givenContact(ada, { name: 'Stays Here' });
    const lost = { external_id: 'crm-lost', email_addresses: addresses('lost@x.example') };
    const from = await givenContact(ada, { name: 'Goes Away', nickname: 'Quixotic', ...lost });
    expect((await mergeInto(ada, into.id, from.id)).external_id).toBe('crm-lost');
    const id = { params: { id: from.id } };
    const gone = [
      ada.reader.retrieveContact(id),
      ada.api.updateContact({ ...id, body: { contact: { headline: 'X' } } }),
      ada.api.deleteContact(id),
      ada.api.pinContact({ params: { contact_id: from.id } }),
      ada.reader.listComments({ params: { record_type: 'contacts', record_id: from.id } }),
      mergeCall(ada, into.id, from.id),
      mergeCall(ada, from.id, into.id),
    ];
    for (const code of await Promise.all(gone.map(codeOf))) expect(code).toBe('404 record_not_found');
    for (const query of [
      { email_address: 'lost@x.example' },
      { query: 'quixotic' },
      { external_id: 'crm-lost' },
    ])
      expect(await found(ada, query)).toEqual([into.id]);
    expect(await found(ada, { query: 'goes' })).toEqual([]);
    const other = { contact: { name: 'Third', ...lost } };
    expect((await failureOf(ada.api.createContact({ body: other }))).status).toBe(409);
  });

  it('fields: the own value, else that of the other; a choice takes one of both, also null', async () => {
    const into = await givenContact(ada, { name: 'Ada', headline: 'Analyst', birthday: '1815-12-10' });
    const from = await givenContact(ada, {
      ...{ name: 'Augusta', headline: 'Poet', nickname: 'A', time_zone: 'Europe/London' },
      avatar_url: 'https://a.example/ada.png',
    });
    const shown = (fields: Record<string, 'this' | 'other'>) =>
      mergeInto(ada, into.id, from.id, { fields, dry_run: true });
    expect(await shown({})).toMatchObject({
      ...{ name: 'Ada', headline: 'Analyst', nickname: 'A', birthday: '1815-12-10' },
      ...{ time_zone: 'Europe/London', avatar_url: 'https://a.example/ada.png' },
    });
    expect(
      await shown({
        name: 'other',
        headline: 'other',
        nickname: 'this',
        birthday: 'other',
        time_zone: 'this',
      }),
    ).toMatchObject({ name: 'Augusta', headline: 'Poet', nickname: null, birthday: null, time_zone: null });
  });

  it.each([
    ['an unknown field', { nope: 'this' }, { 'fields.nope': 'invalid' }],
    ['a list', { email_addresses: 'this' }, { 'fields.email_addresses': 'invalid' }],
    ['the visibility', { visibility: 'other' }, { 'fields.visibility': 'invalid' }],
    ['another side', { name: 'both' }, { 'fields.name': 'invalid' }],
    ['no object', 'this', { fields: 'invalid' }],
  ])('400: %s in fields', async (_, fields, problems) => {
    const [into, from] = [await givenContact(ada), await givenContact(ada)];
    const body = { contact_id_to_merge: from.id, fields: fields as never };
    const call = ada.api.mergeContacts({ params: { contact_id: into.id }, body });
    expect(await problemsOf(call)).toEqual(problems);
    expect((await readContact(ada, from.id)).id).toBe(from.id);
  });

  it('400: without the other contact, with one that is no id, and with itself', async () => {
    const { id } = await givenContact(ada);
    const params = { contact_id: id };
    const send = (body: object) => problemsOf(ada.api.mergeContacts({ params, body: body as never }));
    expect(await send({})).toEqual({ contact_id_to_merge: 'required' });
    expect(await send({ contact_id_to_merge: 'x' })).toEqual({ contact_id_to_merge: 'invalid_format' });
    expect(await send({ contact_id_to_merge: id, dry_run: 'yes' })).toEqual({ dry_run: 'invalid' });
    for (const same of [id, id.toUpperCase()])
      expect(await send({ contact_id_to_merge: same })).toEqual({ contact_id_to_merge: 'invalid' });
  });

  it('404: neither a hidden contact nor one of another account; nothing is written', async () => {
    const own = await givenContact(linus);
    const hidden = await givenContact(ada, { visibility: 'private' });
    const foreign = await givenContact(workspace.hank);
    for (const other of [hidden.id, foreign.id, randomUUID()]) {
      expect(await refusalOf(own.id, other, {}, linus)).toBe('404 record_not_found');
      expect(await refusalOf(other, own.id, {}, linus)).toBe('404 record_not_found');
      expect(await refusalOf(other, other, {}, linus)).toBe('404 record_not_found');
    }
    expect((await readContact(ada, hidden.id)).merged_ids).toEqual([]);
    expect((await readContact(linus, own.id)).updated_at).toBeNull();
  });

  it('403: without the right to edit both', async () => {
    const own = await givenContact(linus, { visibility: 'private' });
    const looked = await givenContact(ada, { visibility: 'private' });
    await share(looked.id, { user_id: linus.user.id });
    expect(await refusalOf(own.id, looked.id, {}, linus)).toBe('403 permission_denied');
    expect(await refusalOf(looked.id, own.id, { dry_run: true }, linus)).toBe('403 permission_denied');
    const group = await givenGroup(ada, [linus]);
    await share(looked.id, { group_id: group.id, access: 'edit' });
    expect((await mergeInto(linus, own.id, looked.id)).merged_ids).toEqual([looked.id]);
  });

  longIt(
    'private with account: the survivor is private, by its owner and admins; both owners edit it',
    async () => {
      const common = await givenContact(linus, { name: 'For all' });
      const own = await givenContact(grace, { name: 'Of Grace', visibility: 'private' });
      expect(await refusalOf(common.id, own.id, {}, grace)).toBe('403 permission_denied');
      expect(await refusalOf(own.id, common.id, {}, grace)).toBe('403 permission_denied');
      await share(own.id, { user_id: linus.user.id, access: 'edit' }, grace);
      const task = { name: 'About it', contact_ids: [common.id] };
      await linus.api.createTask({ body: { task } });
      const tasks = async ({ reader }: TestUser) =>
        (await reader.countTasks({ query: { query: 'about it' } })).body.count.total;
      expect([await tasks(linus), await tasks(grace), await tasks(ada)]).toEqual([1, 1, 1]);
      const merged = await mergeInto(linus, common.id, own.id);
      expect(merged).toMatchObject({ visibility: 'private', user_id: linus.user.id });
      expect(merged.shares).toMatchObject([
        { user_id: grace.user.id, access: 'edit', shared_by_user_id: linus.user.id },
      ]);
      expect(await codeOf(ada.reader.retrieveContact({ params: { id: common.id } }))).toBe(
        '404 record_not_found',
      );
      expect(await found(ada, { query: 'for all' })).toEqual([]);
      for (const user of [linus, grace]) expect(await found(user, { query: 'for all' })).toEqual([common.id]);
      await runRemovals(workspace);
      expect([await tasks(linus), await tasks(grace), await tasks(ada)]).toEqual([1, 1, 0]);
      expect(await found(grace, { slice: 'shared' })).toContain(common.id);
      expect((await readContact(grace, common.id)).shares).toEqual(merged.shares);
    },
  );

  longIt('its comments, tags, tasks, shares and pins follow, each once', async () => {
    const [into, from] = [await givenContact(ada), await givenContact(ada)];
    const about = { name: 'About both', contact_ids: [into.id, from.id] };
    const { task } = (await grace.api.createTask({ body: { task: about } })).body;
    await comment(grace, from.id, { html_content: 'Theirs' });
    await comment(ada, into.id, { html_content: 'Ours' });
    const tags = [await tag(ada, into.id, 'Both'), await tag(ada, from.id, 'One')];
    await tag(ada, from.id, 'Both');
    await share(into.id, { user_id: linus.user.id });
    await share(from.id, { user_id: linus.user.id, access: 'edit' });
    const group = await givenGroup(ada, [grace]);
    await share(from.id, { group_id: group.id });
    await grace.api.pinContact({ params: { contact_id: from.id } });
    for (const { id } of [into, from]) await ada.api.pinContact({ params: { contact_id: id } });

    const merged = await mergeInto(ada, into.id, from.id);
    expect(merged).toMatchObject({ pinned: true, comments: null, tasks: null });
    expect(merged.tags?.map(({ name }) => name)).toEqual(['Both', 'One']);
    expect(merged.shares).toMatchObject([
      { user_id: linus.user.id, access: 'edit', record_id: into.id },
      { group_id: group.id, access: 'view' },
    ]);
    expect(await found(grace, { slice: 'pinned' })).toEqual([into.id]);

    await runRemovals(workspace);
    expect((await comments(ada, into.id)).map(({ html_content }) => html_content)).toEqual([
      'Theirs',
      'Ours',
    ]);
    const read = await readContact(grace, into.id);
    expect(read).toMatchObject({ tags: merged.tags, shares: merged.shares, pinned: true });
    expect(read.tasks).toMatchObject([{ id: task.id, contact_ids: [into.id] }]);
    for (const id of tags) expect(await found(ada, { tags: id })).toEqual([into.id]);
    expect(await found(grace, { slice: 'shared' })).toContain(into.id);
    const { records } = (await ada.reader.listTags()).body.collection;
    expect(records.filter(({ id }) => tags.includes(id)).map(({ contact_count }) => contact_count)).toEqual([
      1, 1,
    ]);
    expect(await openJobs(workspace.table)).toEqual([]);
  });

  longIt(
    'what people wrote stays as they wrote it, also when that is the id of the losing contact',
    async () => {
      const [into, from] = [await givenContact(ada), await givenContact(ada)];
      const { id } = await comment(grace, from.id, { html_content: from.id });
      await grace.api.addReaction({ params: { comment_id: id }, body: { reaction: { text: from.id } } });
      await mergeWhole(workspace, ada, into.id, from.id);
      expect(await comments(grace, into.id)).toMatchObject([
        { contact_id: into.id, html_content: from.id, reactions: [{ text: from.id }], updated_at: null },
      ]);
    },
  );

  longIt('dry_run: exactly the contact that merging returns, and nothing is written', async () => {
    const into = await givenContact(ada, { custom_fields: { a: 1, b: 'own' }, first_name: 'Ada' });
    const from = await givenContact(ada, {
      ...{ custom_fields: { b: 'other', c: true }, last_name: 'Byron', external_id: 'dry' },
      email_addresses: addresses('dry@x.example'),
    });
    await tag(ada, from.id, 'Dry');
    await share(from.id, { user_id: linus.user.id });
    const before = [await readContact(ada, into.id), await readContact(ada, from.id)];
    workspace.setTime(new Date('2050-01-01T00:00:00Z'));
    const fields = { headline: 'this' } as const;
    const shown = await mergeInto(ada, into.id, from.id, { fields, dry_run: true });
    expect([await readContact(ada, into.id), await readContact(ada, from.id)]).toEqual(before);
    expect(await openJobs(workspace.table)).toEqual([]);
    expect(await mergeInto(ada, into.id, from.id, { fields })).toEqual(shown);
    expect(shown).toMatchObject({ custom_fields: { a: 1, b: 'own', c: true }, external_id: 'dry' });
    await runRemovals(workspace);
    workspace.setTime(undefined);
    expect(plain(await readContact(ada, into.id))).toEqual(plain(shown));
  });

  it.each(
    cases<Limit>(
      [['employments', 100, (i) => ({ title: `Title ${i}` })]],
      [
        ['email_addresses', 90, (i) => ({ email_address: `${i}.${randomUUID()}@many.example` })],
        ['phone_numbers', 100, (i) => ({ phone_number: `${1_000_000 + i}` })],
        ['links', 100, (i) => ({ url: `https://many.example/${i}` })],
        ['addresses', 100, (i) => ({ city: `City ${i}` })],
      ],
    ),
  )('400: more %s than %i together; as many are fine', async (field, most, entry) => {
    const into = await givenContact(ada, { [field]: many(most - 1, entry) });
    const [one, two] = [await givenContact(ada, { [field]: [entry(most)] }), await givenContact(ada)];
    const last = { contact: { [field]: [entry(most + 1), entry(most + 2)] } };
    await ada.api.updateContact({ params: { id: two.id }, body: last });
    expect((await mergeInto(ada, into.id, one.id))[field]).toHaveLength(most);
    const failure = await failureOf(mergeCall(ada, into.id, two.id));
    expect(failure.fields).toEqual({
      [field]: { code: 'too_long', message: `would have ${most + 2} entries of both, and ${most} at most` },
    });
    expect((await readContact(ada, two.id))[field]).toHaveLength(2);
  });

  it('400: more custom fields or bytes than one contact may have', async () => {
    const custom = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${prefix}${i}`, i]));
    const links = (prefix: string) =>
      many(30, (i) => ({ url: `https://a.example/${prefix}${i}/${'p'.repeat(1_900)}` }));
    const given = (prefix: string, draft: (prefix: string) => object) => givenContact(ada, draft(prefix));
    for (const [field, draft] of [
      ['custom_fields', (prefix: string) => ({ custom_fields: custom(prefix) })],
      ['links', (prefix: string) => ({ links: links(prefix) })],
    ] as const) {
      const [into, from] = [await given('a', draft), await given('b', draft)];
      expect(await problemsOf(mergeCall(ada, into.id, from.id, { dry_run: true }))).toEqual({
        [field]: 'too_long',
      });
    }
  });

  longIt('200: with 90 addresses under a new name and another external id, in one transaction', async () => {
    const some = (prefix: string) => many(45, (i) => ({ email_address: `${prefix}${i}@crowd.example` }));
    const into = await givenContact(ada, { email_addresses: some('a'), external_id: 'crowd-a' });
    const draft = { email_addresses: some('b'), external_id: 'crowd-b', visibility: 'private' };
    const from = await givenContact(ada, { name: 'Crowd', ...draft });
    const fields = { name: 'other', external_id: 'other' } as const;
    const merged = await mergeInto(ada, into.id, from.id, { fields });
    expect(merged).toMatchObject({ name: 'Crowd', external_id: 'crowd-b', visibility: 'private' });
    for (const email_address of ['a0@crowd.example', 'b44@crowd.example'])
      expect(await found(ada, { email_address })).toEqual([into.id]);
    expect(await found(ada, { external_id: 'crowd-b' })).toEqual([into.id]);
    expect((await givenContact(ada, { external_id: 'crowd-a' })).external_id).toBe('crowd-a');
  });

  longIt('an address of both, and of a third: it leads to the survivor, and to the third', async () => {
    const shared = { email_addresses: addresses('all-three@x.example') };
    const third = await givenContact(linus, { ...shared, visibility: 'private' });
    const from = await givenContact(grace, { ...shared, visibility: 'private' });
    const into = await givenContact(ada, shared);
    await share(from.id, { user_id: ada.user.id, access: 'edit' }, grace);
    expect((await mergeInto(ada, into.id, from.id)).email_addresses).toHaveLength(1);
    const query = { email_address: 'all-three@x.example' };
    expect(await found(ada, query)).toEqual([into.id]);
    expect(await found(linus, query)).toEqual([third.id]);
    await ada.api.deleteContact({ params: { id: into.id } });
    await linus.api.deleteContact({ params: { id: third.id } });
    expect(await found(linus, query)).toEqual([]);
    expect((await givenContact(ada, shared)).email_addresses).toHaveLength(1);
  });

  longIt('threads of both addresses are those of the survivor', async () => {
    const mailbox = await givenMailbox(workspace, ada);
    const mail = (name: string) =>
      eml({ id: `${name}@threads`, from: `${name}@mail.example`, subject: name });
    await importMail(workspace, ada, mailbox, [mail('one'), mail('other')]);
    const into = await givenContact(ada, { email_addresses: addresses('one@mail.example') });
    const from = await givenContact(ada, { email_addresses: addresses('other@mail.example') });
    const subjects = async () => {
      const { records } = (await ada.reader.listThreads({ query: { contact_id: into.id } })).body.collection;
      return records.map(({ subject }) => subject).toSorted();
    };
    expect(await subjects()).toEqual(['one']);
    await mergeInto(ada, into.id, from.id);
    expect(await subjects()).toEqual(['one', 'other']);
    expect(await readContact(ada, into.id)).toMatchObject({ thread_count: 2 });
  });

  longIt('a chain: what was merged before comes along, and the ids are told in their order', async () => {
    const [a, b, c] = [await givenContact(ada), await givenContact(ada), await givenContact(ada)];
    await comment(grace, a.id, { html_content: 'From the first' });
    await mergeInto(ada, b.id, a.id);
    // The job of the first merge has not run yet.
    const merged = await mergeWhole(workspace, ada, c.id, b.id);
    expect(merged.merged_ids).toEqual([b.id, a.id]);
    await runRemovals(workspace);
    expect((await comments(ada, c.id)).map(({ html_content }) => html_content)).toEqual(['From the first']);
    for (const { id } of [a, b])
      expect(await codeOf(ada.reader.retrieveContact({ params: { id } }))).toBe('404 record_not_found');
  });

  longIt('keeps nothing of the losing contact but where it leads', async () => {
    const [into, from] = [await givenContact(ada), await givenContact(ada, { nickname: 'Secret' })];
    await mergeWhole(workspace, ada, into.id, from.id);
    const { PK, SK } = { PK: `RECORD#contacts#${from.id}`, SK: 'META' };
    const { account_id } = workspace;
    const left = (await workspace.table.all(PK)).filter((item) => !item.SK.startsWith('LISTS#'));
    expect(left).toEqual([{ PK, SK, account_id, merged_into: into.id }]);
  });
});
