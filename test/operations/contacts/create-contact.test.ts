import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiFailure } from '#shared/api/client.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('POST /contacts', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  type User = 'ada' | 'grace' | 'linus' | 'hank';
  const create = (contact: object, user: User = 'grace') =>
    workspace[user].api.createContact({ body: { contact } as never });
  /** The field codes of the 400 for the draft. */
  const problems = async (contact: object) => {
    const failure: ApiFailure = await create(contact).then(
      () => expect.fail('the contact was created'),
      (error) => error,
    );
    expect([failure.status, failure.code]).toEqual([400, 'invalid_request']);
    return Object.fromEntries(Object.entries(failure.fields).map(([name, { code }]) => [name, code]));
  };
  const address = () => `${randomUUID()}@acme.example`;

  it('201: returns every writable field', async () => {
    const draft = {
      name: ' Ada Byron ',
      first_name: 'Ada',
      last_name: 'Byron',
      nickname: 'Countess',
      headline: 'Analyst',
      description: 'Wrote the first program.\n',
      avatar_url: 'https://acme.example/ada.png',
      email_addresses: [
        { email_address: 'Ada.Byron@Acme.example', label: 'work' },
        { email_address: 'ada@home.example', primary: true },
      ],
      phone_numbers: [{ phone_number: '+44 20 7946 0123', label: 'home' }],
      links: [{ url: 'https://acme.example/ada', label: 'page' }],
      addresses: [{ street: '12 St James Square', city: 'London', country: 'GB' }],
      employments: [{ title: 'Analyst', started_on: '1842-01-01', ended_on: '1843-12-31' }],
      birthday: '1815-12-10',
      time_zone: 'Europe/London',
      visibility: 'private',
      external_id: 'crm-1',
      custom_fields: { number: 1e200, ok: true, list: ['a', 'b'], gone: null, text: '\u{1F600}' },
    };
    const { status, body } = await create(draft);
    expect(status).toBe(201);
    expect(body.contact).toMatchObject({
      ...draft,
      name: 'Ada Byron',
      user_id: workspace.grace.user.id,
      email_addresses: [
        { email_address: 'ada.byron@acme.example', label: 'work', primary: false },
        { email_address: 'ada@home.example', label: null, primary: true },
      ],
      phone_numbers: [{ phone_number: '+44 20 7946 0123', label: 'home', primary: true }],
      employments: [{ title: 'Analyst', organization: null, current: false, started_on: '1842-01-01' }],
      custom_fields: { number: 1e200, ok: true, list: ['a', 'b'], text: '\u{1F600}' },
      source: 'api',
      tags: [],
      shares: [],
      comments: [],
      tasks: [],
      updated_at: null,
    });
    expect(body.contact.custom_fields).not.toHaveProperty('gone');
    const read = await workspace.grace.reader.retrieveContact({ params: { id: body.contact.id } });
    expect(read.body.contact).toEqual({ ...body.contact, thread_count: 0 });
  });

  it.each([
    ['first and last name', { first_name: 'Mary', last_name: 'Somerville' }, 'Mary Somerville'],
    ['last name alone', { last_name: 'Somerville' }, 'Somerville'],
    [
      'email address',
      { name: ' ', email_addresses: [{ email_address: 'mary@acme.example' }] },
      'mary@acme.example',
    ],
  ])('201: the name comes from the %s', async (_, draft, name) => {
    const { body } = await create(draft);
    expect(body.contact).toMatchObject({ name, visibility: 'account' });
  });

  it('tells contacts made in the app from those of API keys', async () => {
    const { body } = await workspace.grace.session.createContact({ body: { contact: { name: 'By hand' } } });
    expect(body.contact.source).toBe('manual');
  });

  it('keeps an employment without organization', async () => {
    const { body } = await create({ name: 'Worker', employments: [{ title: 'Freelancer' }] });
    expect(body.contact.employments).toMatchObject([
      { title: 'Freelancer', organization: null, current: true },
    ]);
  });

  it('409: an address of a contact that the user sees, named by field', async () => {
    const shared = address();
    await create({ email_addresses: [{ email_address: shared }] });
    const draft = {
      email_addresses: [{ email_address: address() }, { email_address: shared.toUpperCase() }],
    };
    await expect(create(draft, 'ada')).rejects.toMatchObject({
      status: 409,
      code: 'email_address_taken',
      fields: { 'email_addresses.1.email_address': { code: 'taken' } },
    });
  });

  it('201: an address of a hidden contact, or of another account, is free', async () => {
    const hidden = address();
    const draft = { email_addresses: [{ email_address: hidden }] };
    await create({ ...draft, visibility: 'private' }, 'linus');
    await expect(create(draft, 'grace')).resolves.toMatchObject({ status: 201 });
    await expect(create(draft, 'hank')).resolves.toMatchObject({ status: 201 });
    // Linus sees both now.
    await expect(create(draft, 'linus')).rejects.toMatchObject({ code: 'email_address_taken' });
  });

  it('gives an address to one of 30 concurrent contacts, and leaves nothing of the others', async () => {
    const wanted = address();
    const before = (await workspace.ada.reader.listContacts()).body.collection.records.length;
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        create({ name: `Racer ${i}`, email_addresses: [{ email_address: wanted }] }, 'ada').then(
          ({ status }) => status,
          (failure: ApiFailure) => `${failure.status} ${failure.code}`,
        ),
      ),
    );
    const won = responses.filter((response) => response === 201);
    const lost = responses.filter((response) => response === '409 email_address_taken');
    expect([won.length, lost.length]).toEqual([1, 29]);
    expect((await workspace.ada.reader.listContacts()).body.collection.records).toHaveLength(before + 1);
  });

  it('accepts concurrent hidden contacts with one address', async () => {
    const wanted = address();
    const draft = { email_addresses: [{ email_address: wanted }], visibility: 'private' };
    const users = ['ada', 'grace', 'linus'] as const;
    const made = await Promise.all(users.map((user) => create(draft, user)));
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    for (const user of users)
      await expect(create(draft, user)).rejects.toMatchObject({ code: 'email_address_taken' });
  });

  it('409: an external_id that another contact has, even a hidden one', async () => {
    const external_id = randomUUID();
    await create({ name: 'Imported', external_id, visibility: 'private' }, 'linus');
    await expect(create({ name: 'Again', external_id })).rejects.toMatchObject({
      status: 409,
      code: 'external_id_taken',
      fields: { external_id: { code: 'taken' } },
    });
    await expect(create({ name: 'Elsewhere', external_id }, 'hank')).resolves.toMatchObject({ status: 201 });
  });

  it('404: an unknown organization', async () => {
    const employments = [{ organization: { id: randomUUID() } }];
    const failure = { status: 404, code: 'record_not_found' };
    await expect(create({ name: 'Worker', employments })).rejects.toMatchObject(failure);
  });

  it('400: a contact without any name', async () => {
    expect(await problems({})).toEqual({ name: 'required' });
    expect(await problems({ name: '', first_name: ' ', email_addresses: [] })).toEqual({ name: 'required' });
    expect(await problems({ birthday: 'x' })).toEqual({ name: 'required', birthday: 'invalid_format' });
    expect(await problems([])).toEqual({ contact: 'invalid' });
  });

  it.each([
    ['a long name', { name: 'x'.repeat(256) }, { name: 'too_long' }],
    [
      'an address with invisible characters',
      { first_name: 'A', email_addresses: [{ email_address: 'a\u00ad@b.example' }] },
      { 'email_addresses.0.email_address': 'invalid_format' },
    ],
    ['NUL', { first_name: 'a\0b' }, { first_name: 'invalid_format' }],
    [
      'a bad address',
      { email_addresses: [{ email_address: 'ada' }] },
      { 'email_addresses.0.email_address': 'invalid_format' },
    ],
    [
      'no address',
      { email_addresses: [{ label: 'work' }] },
      { 'email_addresses.0.email_address': 'required' },
    ],
    [
      'the same address twice',
      { email_addresses: [{ email_address: 'a@b.c' }, { email_address: 'A@B.C' }] },
      { 'email_addresses.1.email_address': 'invalid' },
    ],
    [
      'two primary addresses',
      {
        email_addresses: [
          { email_address: 'a@b.c', primary: true },
          { email_address: 'd@b.c', primary: true },
        ],
      },
      { 'email_addresses.1.primary': 'invalid' },
    ],
    [
      '91 addresses',
      { email_addresses: Array.from({ length: 91 }, (_, i) => ({ email_address: `${i}@b.c` })) },
      { email_addresses: 'too_long' },
    ],
    ['101 links', { name: 'x', links: Array(101).fill({ url: 'https://a.b' }) }, { links: 'too_long' }],
    [
      'a script link',
      { name: 'x', links: [{ url: 'javascript:alert(1)' }] },
      { 'links.0.url': 'invalid_format' },
    ],
    [
      'a phone number of letters',
      { name: 'x', phone_numbers: [{ phone_number: '<b>' }] },
      { 'phone_numbers.0.phone_number': 'invalid_format' },
    ],
    ['an unknown time zone', { name: 'x', time_zone: 'Mars/Olympus' }, { time_zone: 'invalid_format' }],
    ['an impossible day', { name: 'x', birthday: '2026-02-30' }, { birthday: 'invalid_format' }],
    ['an unknown visibility', { name: 'x', visibility: 'secret' }, { visibility: 'invalid' }],
    [
      'a malformed organization id',
      { name: 'x', employments: [{ organization: { id: '7' } }] },
      { 'employments.0.organization.id': 'invalid_format' },
    ],
    [
      'an organization by id and name',
      { name: 'x', employments: [{ organization: { id: randomUUID(), name: 'Acme' } }] },
      { 'employments.0.organization.name': 'invalid' },
    ],
    [
      'an organization without visible name',
      { name: 'x', employments: [{}, { organization: { name: ' ' } }] },
      { 'employments.1.organization.name': 'required' },
    ],
    [
      'an organization without id',
      { name: 'x', employments: [{ organization: {} }] },
      { 'employments.0.organization.id': 'required' },
    ],
    [
      '51 custom fields',
      { name: 'x', custom_fields: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])) },
      { custom_fields: 'too_long' },
    ],
    [
      '17 KB of custom fields',
      { name: 'x', custom_fields: { a: 'x'.repeat(9_000), b: 'x'.repeat(9_000) } },
      { custom_fields: 'too_long' },
    ],
    [
      'any number of custom fields without a value',
      {
        name: 'x',
        custom_fields: Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`k${i}`, {}])),
      },
      { custom_fields: 'too_long' },
    ],
    [
      'a custom field with any number of elements',
      { name: 'x', custom_fields: { a: Array(200_000).fill(1) } },
      { custom_fields: 'too_long' },
    ],
    [
      'a nested custom field',
      { name: 'x', custom_fields: { a: { b: 1 } } },
      { 'custom_fields.a': 'invalid' },
    ],
    ['a long description', { name: 'x', description: 'd'.repeat(20_001) }, { description: 'too_long' }],
    [
      'more than 100 KB in all',
      { name: 'x', links: Array(60).fill({ url: `https://a.b/${'p'.repeat(1_990)}` }) },
      { links: 'too_long' },
    ],
  ])('400: %s', async (_, draft, fields) => {
    expect(await problems({ nickname: 'N', last_name: 'L', ...draft })).toEqual(fields);
  });
});
