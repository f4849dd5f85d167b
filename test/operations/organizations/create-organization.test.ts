import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiFailure } from '#shared/api/client.ts';
import { failureOf, problemsOf } from '../../support/failures.ts';
import { givenOrganization, organizationsOf, readOrganization } from '../../support/organizations.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /organizations', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  let hank: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus, hank } = workspace);
  });
  afterAll(() => workspace.stop());

  const create = (organization: object, user = grace) =>
    user.api.createOrganization({ body: { organization } as never });
  const domain = () => `${randomUUID()}.example`;

  it('201: returns every writable field', async () => {
    const draft = {
      name: ' Acme ',
      domains: ['Acme.Example.', 'bücher.example'],
      description: 'Makes limpets.\n',
      industry: 'Manufacturing',
      website_url: 'https://acme.example/',
      logo_url: 'https://acme.example/logo.png',
      employee_count: 250,
      phone_numbers: [{ phone_number: '+44 20 7946 0123', label: 'desk' }],
      links: [{ url: 'https://acme.example/jobs', label: 'jobs' }],
      addresses: [{ street: '1 Quay', city: 'Leeds', country: 'GB' }],
      visibility: 'private',
      external_id: 'crm-1',
      custom_fields: { number: 1e200, list: ['a'], gone: null },
    };
    const { status, body } = await create(draft);
    expect(status).toBe(201);
    expect(body.organization).toMatchObject({
      ...draft,
      name: 'Acme',
      domains: ['acme.example', 'xn--bcher-kva.example'],
      phone_numbers: [{ phone_number: '+44 20 7946 0123', label: 'desk', primary: true }],
      custom_fields: { number: 1e200, list: ['a'] },
      user_id: grace.user.id,
      tags: [],
      shares: [],
      comments: [],
      tasks: [],
      updated_at: null,
    });
    expect(body.organization.custom_fields).not.toHaveProperty('gone');
    expect(await readOrganization(grace, body.organization.id)).toEqual(body.organization);
  });

  it('201: with a name alone; two may have the same', async () => {
    const [one, two] = [
      await givenOrganization(ada, { name: 'Twin' }),
      await givenOrganization(ada, { name: 'Twin' }),
    ];
    expect(one).toMatchObject({
      domains: [],
      visibility: 'account',
      employee_count: null,
      custom_fields: {},
    });
    expect(two.id).not.toBe(one.id);
  });

  it('409: a domain of an organization that the user sees, named by field', async () => {
    const taken = domain();
    await givenOrganization(grace, { domains: [taken] });
    expect(
      await failureOf(create({ name: 'X', domains: [domain(), taken.toUpperCase()] }, ada)),
    ).toMatchObject({
      status: 409,
      code: 'domain_taken',
      fields: { 'domains.1': { code: 'taken' } },
    });
  });

  it('201: a domain of a hidden organization, or of another account, is free', async () => {
    const draft = { name: 'Hidden', domains: [domain()] };
    await create({ ...draft, visibility: 'private' }, linus);
    expect((await create(draft, grace)).status).toBe(201);
    expect((await create(draft, hank)).status).toBe(201);
    // Linus sees both now.
    expect(await failureOf(create(draft, linus))).toMatchObject({ code: 'domain_taken' });
  });

  it('gives a domain to one of 20 concurrent organizations, and leaves nothing of the others', async () => {
    const wanted = domain();
    const before = (await organizationsOf(ada)).length;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        create({ name: `Racer ${i}`, domains: [wanted] }, ada).then(
          ({ status }) => `${status}`,
          ({ status, code }: ApiFailure) => `${status} ${code}`,
        ),
      ),
    );
    expect(answers.toSorted()).toEqual(['201', ...Array(19).fill('409 domain_taken')]);
    expect(await organizationsOf(ada)).toHaveLength(before + 1);
    expect(await organizationsOf(ada, { domain: wanted })).toHaveLength(1);
  });

  it('409: an external_id that another organization has, even a hidden one', async () => {
    const external_id = randomUUID();
    await create({ name: 'Imported', external_id, visibility: 'private' }, linus);
    expect(await failureOf(create({ name: 'Again', external_id }))).toMatchObject({
      status: 409,
      code: 'external_id_taken',
      fields: { external_id: { code: 'taken' } },
    });
  });

  it('201: an external_id that records of other types have', async () => {
    const external_id = randomUUID();
    await grace.api.createContact({ body: { contact: { name: 'Imported', external_id } } });
    await grace.api.createDeal({ body: { deal: { name: 'Imported', external_id } } });
    await grace.api.createTask({ body: { task: { name: 'Imported', external_id } } });
    expect((await create({ name: 'Imported', external_id })).status).toBe(201);
  });

  it('one of ten concurrent requests has the external_id', async () => {
    const external_id = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        create({ name: 'X', external_id }).then(
          () => 201,
          ({ code }) => code,
        ),
      ),
    );
    expect(answers.toSorted()).toEqual([201, ...Array(9).fill('external_id_taken')].sort());
  });

  it('400: no wrapper, no name, fields of the service', async () => {
    const send = (body: object) => grace.api.createOrganization({ body: body as never });
    expect(await problemsOf(send({}))).toEqual({ organization: 'required' });
    expect(await problemsOf(send({ organization: 'Acme' }))).toEqual({ organization: 'invalid' });
    expect(await problemsOf(create({ domains: ['acme.example'] }))).toEqual({ name: 'required' });
  });

  const domains = (...sent: unknown[]) => ({ domains: sent });
  it.each<[string, object, Record<string, string>]>([
    ['an empty name', { name: ' ' }, { name: 'required' }],
    ['a name that is null', { name: null }, { name: 'required' }],
    ['a name of the wrong type', { name: 7 }, { name: 'invalid' }],
    ['a long name', { name: 'x'.repeat(256) }, { name: 'too_long' }],
    ['domains that are null', { domains: null }, { domains: 'invalid' }],
    ['one domain as text', { domains: 'acme.example' }, { domains: 'invalid' }],
    ['a domain of the wrong type', domains(7), { 'domains.0': 'invalid' }],
    ['an empty domain', domains(''), { 'domains.0': 'required' }],
    ['a host without a dot', domains('localhost'), { 'domains.0': 'invalid_format' }],
    ['an IP address', domains('127.0.0.1'), { 'domains.0': 'invalid_format' }],
    ['an IPv6 address', domains('[::1]'), { 'domains.0': 'invalid_format' }],
    ['a URL', domains('https://acme.example/'), { 'domains.0': 'invalid_format' }],
    ['an email address', domains('ada@acme.example'), { 'domains.0': 'invalid_format' }],
    ['a port', domains('acme.example:80'), { 'domains.0': 'invalid_format' }],
    ['a wildcard', domains('*.acme.example'), { 'domains.0': 'invalid_format' }],
    ['a hyphen at the end', domains('acme-.example'), { 'domains.0': 'invalid_format' }],
    ['an underscore', domains('a_b.example'), { 'domains.0': 'invalid_format' }],
    ['an empty label', domains('a..example'), { 'domains.0': 'invalid_format' }],
    ['a long label', domains(`${'a'.repeat(64)}.example`), { 'domains.0': 'invalid_format' }],
    ['a long host', domains(`${'a.'.repeat(124)}example`), { 'domains.0': 'invalid_format' }],
    ['NUL in a domain', domains('a\0.example'), { 'domains.0': 'invalid_format' }],
    ['a public mail host', domains('acme.example', 'GMail.com'), { 'domains.1': 'invalid' }],
    ['a domain twice', domains('a.example', 'A.example.'), { 'domains.1': 'invalid' }],
    [
      '81 domains',
      domains(...Array.from({ length: 81 }, (_, i) => `d${i}.example`)),
      { domains: 'too_long' },
    ],
    ['a fraction of employees', { employee_count: 1.5 }, { employee_count: 'invalid' }],
    ['less than no employees', { employee_count: -1 }, { employee_count: 'invalid' }],
    ['more employees than people', { employee_count: 1e308 }, { employee_count: 'invalid' }],
    ['employees as text', { employee_count: '12' }, { employee_count: 'invalid' }],
    ['a long industry', { industry: 'x'.repeat(256) }, { industry: 'too_long' }],
    ['a script as website', { website_url: 'javascript:alert(1)' }, { website_url: 'invalid_format' }],
    ['a logo of the wrong type', { logo_url: [] }, { logo_url: 'invalid' }],
    ['a long description', { description: 'd'.repeat(20_001) }, { description: 'too_long' }],
    ['links that are null', { links: null }, { links: 'invalid' }],
    ['101 links', { links: Array(101).fill({ url: 'https://a.b' }) }, { links: 'too_long' }],
    [
      'two primary phones',
      {
        phone_numbers: [
          { phone_number: '1', primary: true },
          { phone_number: '2', primary: true },
        ],
      },
      { 'phone_numbers.1.primary': 'invalid' },
    ],
    ['an unknown visibility', { visibility: 'secret' }, { visibility: 'invalid' }],
    ['no visibility', { visibility: null }, { visibility: 'invalid' }],
    ['a long external_id', { external_id: 'x'.repeat(256) }, { external_id: 'too_long' }],
    ['nested custom fields', { custom_fields: { a: { b: 1 } } }, { 'custom_fields.a': 'invalid' }],
    [
      '51 custom fields',
      { custom_fields: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])) },
      { custom_fields: 'too_long' },
    ],
    [
      'more than 100 KB in all',
      { links: Array(60).fill({ url: `https://a.b/${'p'.repeat(1_990)}` }) },
      { links: 'too_long' },
    ],
  ])('400: %s', async (_, draft, fields) => {
    expect(await problemsOf(create({ name: 'Acme', ...draft }))).toEqual(fields);
  });
});
