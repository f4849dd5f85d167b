import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { inviteToSignUp } from '#shared/domain/identity/waitlist/invite.ts';
import { addToWaitlist } from '#shared/domain/identity/waitlist/store.ts';
import type { Waitlistee } from '#shared/domain/identity/waitlist/waitlistee.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { givenCode, newAddress, wrongCode } from '../../support/one-time-codes.ts';
import { asJson, raw } from '../../support/raw.ts';
import { type AccountBody, givenRequest, storedOf } from '../../support/sign-up.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

const document = (slug: string, version: string, required: boolean) => ({
  ...{ slug, version, required, title: `The ${slug}`, url: `https://acme.example/${slug}` },
});

describe('POST /accounts', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());
  afterEach(() => {
    Object.assign(workspace.ctx.config, { sign_up: 'open', terms: [], work_accounts_only: false });
    workspace.setTime(undefined);
  });

  const given = (address?: string) => givenRequest(workspace, address);
  const send = (account: AccountBody) => workspace.client().createAccount({ body: { account } });
  const invited = async (address: string, now = new Date()) =>
    (await inviteToSignUp(workspace.table, address, now))?.token ?? '';

  it('201: the account as it is read later, and a session of its owner that works', async () => {
    const now = new Date('2031-05-01T10:00:00.000Z');
    workspace.setTime(now);
    const request = await given();
    const { status, body, headers } = await send({ ...request, time_zone: 'Europe/Lisbon' });
    const { account, session } = body;
    expect(status).toBe(201);
    expect(account).toMatchObject({
      ...{ name: 'Acme', api_access: 'enabled', features: { ask_assistant: true } },
      ...{
        default_currency: null,
        time_zone: 'Europe/Lisbon',
        created_at: now.toISOString(),
        updated_at: null,
      },
      ...{ owner_user_id: session.user_id, billing: { provider: 'none', status: null } },
    });
    expect(session).toMatchObject({
      ...{
        account_id: account.id,
        token_type: 'Bearer',
        expires_in: 900,
        refresh_token: null,
        current: true,
      },
      ...{ access_token: expect.stringMatching(/^wsk_session_/), expires_at: '2031-05-31T10:00:00.000Z' },
      ...{ ip_address: '127.0.0.1', user_agent: 'node' },
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('set-cookie')).toMatch(
      /^refresh_token=wsk_refresh_[\w-]+; .*HttpOnly; SameSite=Strict$/,
    );
    const api = workspace.client(session.access_token as string);
    expect((await api.retrieveAccount({ params: { id: account.id } })).body.account).toEqual(account);
    expect((await api.retrieveCurrentUser()).body.user).toMatchObject({
      ...{ id: session.user_id, role: 'owner', status: 'active', email_address: request.email_address },
      ...{ name: request.email_address.split('@')[0], time_zone: 'Europe/Lisbon', week_starts_on: 'monday' },
      ...{ terms_accepted: true, primary_mailbox_id: expect.any(String) },
    });
  });

  it('201: an account that begins with a pipeline and a mailbox, a first key, and the refresh token in the body', async () => {
    const { session } = (await send({ ...(await given()), token_delivery: 'body' })).body;
    const api = workspace.client(session.access_token as string);
    expect((await api.listPipelines()).body.pipelines).toMatchObject([{ name: 'Sales', default: true }]);
    const mailboxes = (await api.listMailboxes()).body.collection.records;
    expect(mailboxes).toMatchObject([{ provider: 'import', access: 'owner', primary: true }]);
    const key = (await api.createApiKey({ body: { api_key: { name: 'First', tier: 'read_write' } } })).body;
    const written = await workspace.client(key.api_key.secret).createTag({ body: { tag: { name: 'New' } } });
    expect(written.status).toBe(201);
    const refresh_token = session.refresh_token as string;
    expect((await workspace.client().createAccessToken({ body: { refresh_token } })).status).toBe(200);
  });

  it('is kept in the audit of the account, from the beginning', async () => {
    workspace.ctx.config.terms = [document('terms', '1', true)];
    const documents = [{ slug: 'terms', version: '1' }];
    const request = { ...(await given()), documents, acceptance_method: 'clickwrap' };
    const { account, session } = (await send(request)).body;
    const api = workspace.client(session.access_token as string);
    const { records } = (await api.listAuditEvents()).body.collection;
    const by = { user_id: session.user_id, credential_id: session.id, ip_address: '127.0.0.1' };
    expect(records.map(({ action }) => action).toSorted()).toEqual([
      'account_created',
      'signed_in',
      'terms_accepted',
    ]);
    for (const record of records) expect(record).toMatchObject(by);
    expect(records.find(({ action }) => action === 'account_created')?.subject.id).toBe(account.id);
  });

  it('201: the address in any case; then it has a user, who signs in with it', async () => {
    const { email_address, one_time_code, ...rest } = await given();
    const typed = ` ${email_address.toUpperCase()} `;
    const { session } = (await send({ ...rest, email_address: typed, one_time_code })).body;
    const next = { email_address, one_time_code: await givenCode(workspace, email_address) };
    const signedIn = await workspace.client().createSession({ body: { session: next } });
    expect(signedIn.body.session.user_id).toBe(session.user_id);
  });

  it('401: a wrong code, one that was used, of another address, and five wrong tries, also for addresses in use', async () => {
    const request = await given();
    const other = await given();
    const wrong = { ...request, one_time_code: wrongCode(request.one_time_code) };
    expect(await codeOf(send(wrong))).toBe('401 invalid_credentials');
    if (other.one_time_code !== request.one_time_code)
      expect(await codeOf(send({ ...request, one_time_code: other.one_time_code }))).toBe(
        '401 invalid_credentials',
      );
    await send(request);
    expect(await codeOf(send(request))).toBe('401 invalid_credentials');
    for (let i = 0; i < 5; i++)
      await failureOf(send({ ...other, one_time_code: wrongCode(other.one_time_code) }));
    expect(await codeOf(send(other))).toBe('401 invalid_credentials');
    const known = { name: 'Mine', email_address: workspace.ada.user.email_address, one_time_code: '000000' };
    expect(await codeOf(send(known))).toBe('401 invalid_credentials');
  });

  it('409: the address of a user in any account and status, and the code stays to sign in with', async () => {
    const first = await given();
    const { session } = (await send(first)).body;
    const again = await given(first.email_address);
    const refused = await failureOf(send(again));
    expect([refused.status, refused.code]).toEqual([409, 'email_address_in_use']);
    expect(refused.fields).toMatchObject({ email_address: { code: 'taken' } });
    const { name: _, ...proof } = again;
    const signedIn = await workspace.client().createSession({ body: { session: proof } });
    expect(signedIn.body.session.user_id).toBe(session.user_id);
    await workspace.table.update<User>(keys.user(session.account_id, session.user_id), {
      set: { status: 'deactivated' },
    });
    expect(await codeOf(send(await given(first.email_address)))).toBe('409 email_address_in_use');
  });

  it('201: the address of a closed account', async () => {
    const request = await given();
    const { account } = (await send(request)).body;
    await workspace.table.update<Account>(keys.account(account.id), { set: { status: 'closed' } });
    const next = (await send(await given(request.email_address))).body;
    expect(next.account.id).not.toBe(account.id);
    expect((await storedOf(workspace, request.email_address))?.account?.id).toBe(next.account.id);
  });

  it.each<[string, (right: AccountBody) => object, Record<string, string>]>([
    ['nothing', () => ({}), { name: 'required' }],
    ['no proof', () => ({ name: 'A' }), { email_address: 'required', one_time_code: 'required' }],
    ['no code', ({ one_time_code: _, ...rest }) => rest, { one_time_code: 'required' }],
    ['no address', ({ email_address: _, ...rest }) => rest, { email_address: 'required' }],
    ['a blank name', (right) => ({ ...right, name: ' ' }), { name: 'required' }],
    ['a name of two lines', (right) => ({ ...right, name: 'A\nB' }), { name: 'invalid_format' }],
    [
      'full-width digits',
      (right) => ({ ...right, one_time_code: '１２３４５６' }),
      { one_time_code: 'invalid_format' },
    ],
    ['an unknown zone', (right) => ({ ...right, time_zone: 'Mars/Base' }), { time_zone: 'invalid_format' }],
    ['another delivery', (right) => ({ ...right, token_delivery: 'url' }), { token_delivery: 'invalid' }],
    [
      'what the service sets',
      (right) => ({ ...right, id: crypto.randomUUID(), owner_user_id: crypto.randomUUID(), billing: {} }),
      { id: 'not_allowed', owner_user_id: 'not_allowed', billing: 'not_allowed' },
    ],
    [
      'other types',
      (right) => ({ ...right, email_address: 1, documents: 'all', signup_token: {} }),
      { email_address: 'invalid', documents: 'invalid', signup_token: 'invalid' },
    ],
  ])('400, and the code stays: %s', async (_, change, problems) => {
    const right = await given();
    expect(await problemsOf(send(change(right) as never))).toEqual(problems);
    expect((await send(right)).status).toBe(201);
  });

  it.each([
    'ada',
    '',
    'a@b@c.example',
    'ada@acme.example\r\nBcc: all@acme.example',
    'ada@acme.example\u202e',
    `${'a'.repeat(300)}@acme.example`,
    '"ada lovelace"@acme.example',
  ])('400 invalid_email_address: %j', async (email_address) => {
    const refused = await failureOf(send({ name: 'A', email_address, one_time_code: '123456' }));
    expect([refused.status, refused.code]).toEqual([400, 'invalid_email_address']);
    expect(refused.fields).toHaveProperty('email_address');
  });

  it('takes an address that only looks alike for another one', async () => {
    const code = await givenCode(workspace, newAddress());
    const look_alike = workspace.ada.user.email_address.replace('a', 'а');
    const request = { name: 'A', email_address: look_alike, one_time_code: code };
    expect(await codeOf(send(request))).toBe('401 invalid_credentials');
  });

  describe('terms', () => {
    const both = [
      { slug: 'terms', version: '2' },
      { slug: 'privacy', version: '1' },
    ];
    const terms = [
      document('terms', '2', true),
      document('privacy', '1', true),
      document('news', '1', false),
    ];

    it.each<[string, object, string]>([
      ['no documents', {}, 'documents_required'],
      ['an empty list', { documents: [] }, 'documents_required'],
      ['another version', { documents: [{ slug: 'terms', version: '1' }] }, 'unknown_document'],
      ['another document', { documents: [...both, { slug: 'x', version: '1' }] }, 'unknown_document'],
      [
        'one that is missing',
        { documents: both.slice(1), acceptance_method: 'clickwrap' },
        'incomplete_acceptance',
      ],
      ['no method', { documents: both }, 'invalid_acceptance_method'],
      ['another method', { documents: both, acceptance_method: 'browsewrap' }, 'invalid_acceptance_method'],
    ])('400, and the code stays: %s', async (_, more, code) => {
      workspace.ctx.config.terms = terms;
      const right = await given();
      expect(await codeOf(send({ ...right, ...more } as never))).toBe(`400 ${code}`);
      const accepted = { documents: both, acceptance_method: 'clickwrap' };
      expect((await send({ ...right, ...accepted })).status).toBe(201);
    });

    it('are accepted with the account, when and from where', async () => {
      workspace.ctx.config.terms = terms;
      const sent = { documents: [...both, ...both], acceptance_method: 'clickwrap' };
      const { session } = (await send({ ...(await given()), ...sent })).body;
      const api = workspace.client(session.access_token as string);
      const { documents, terms_assents } = (await api.listTermsAssents()).body;
      expect(documents.map(({ accepted }) => accepted)).toEqual([true, true, false]);
      expect(terms_assents).toHaveLength(2);
      expect(terms_assents[0]).toMatchObject({ user_id: session.user_id, ip_address: '127.0.0.1' });
      expect((await api.listTags()).status).toBe(200);
    });

    it('are not needed where none is required; a document that the service does not have is unknown', async () => {
      const right = await given();
      const unknown = { documents: both, acceptance_method: 'clickwrap' };
      expect(await codeOf(send({ ...right, ...unknown }))).toBe('400 unknown_document');
      workspace.ctx.config.terms = [document('news', '1', false)];
      expect((await send(right)).status).toBe(201);
    });
  });

  describe('invitations', () => {
    it.each(['invitation', 'closed'] as const)(
      '403 without a token where signing up is %s, and the code stays',
      async (mode) => {
        const right = await given();
        workspace.ctx.config.sign_up = mode;
        expect(await codeOf(send(right))).toBe('403 invitation_required');
        workspace.ctx.config.sign_up = 'open';
        expect((await send(right)).status).toBe(201);
      },
    );

    it('403 also with a token where signing up is closed, and the token stays', async () => {
      const right = await given();
      const signup_token = await invited(right.email_address);
      workspace.ctx.config.sign_up = 'closed';
      expect(await codeOf(send({ ...right, signup_token }))).toBe('403 invitation_required');
      workspace.ctx.config.sign_up = 'invitation';
      expect((await send({ ...right, signup_token })).status).toBe(201);
    });

    it('201 with the token of the address, once; who waited has joined', async () => {
      workspace.ctx.config.sign_up = 'invitation';
      const right = await given();
      const { email_address } = right;
      await addToWaitlist(workspace.table, { email_address, name: 'Ada' }, new Date());
      const signup_token = await invited(email_address);
      expect((await send({ ...right, signup_token: ` ${signup_token} ` })).status).toBe(201);
      const waited = await workspace.table.get<Waitlistee>(keys.waitlistee(email_address));
      expect(waited).toMatchObject({ status: 'joined', name: 'Ada' });
      expect(waited).not.toHaveProperty('token_hash');
      const again = { ...(await given(email_address)), signup_token };
      expect(await codeOf(send(again))).toBe('400 invalid_signup_token');
    });

    it.each(['open', 'invitation'] as const)(
      '400 for a token that is not right, where signing up is %s',
      async (mode) => {
        workspace.ctx.config.sign_up = mode;
        const right = await given();
        const now = new Date();
        const old = await invited(right.email_address, new Date(now.getTime() - 14 * 86_400_000));
        const replaced = await invited(right.email_address);
        const living = await invited(right.email_address);
        const others = await invited(newAddress());
        for (const signup_token of ['', 'x', `${living}x`, old, replaced, others, 'x'.repeat(10_000)])
          expect(await codeOf(send({ ...right, signup_token }))).toBe('400 invalid_signup_token');
        expect((await send({ ...right, signup_token: living })).status).toBe(201);
      },
    );

    it('401 for a wrong code, whether the token is right or not', async () => {
      workspace.ctx.config.sign_up = 'invitation';
      const right = await given();
      const signup_token = await invited(right.email_address);
      const one_time_code = wrongCode(right.one_time_code);
      for (const token of [signup_token, 'x'])
        expect(await codeOf(send({ ...right, one_time_code, signup_token: token }))).toBe(
          '401 invalid_credentials',
        );
    });
  });

  it('403: an address of a public mail service where only work accounts sign up, and the code stays', async () => {
    const public_address = `${crypto.randomUUID()}@gmail.com`;
    const [right, work] = [await given(public_address), await given()];
    workspace.ctx.config.work_accounts_only = true;
    expect(await codeOf(send(right))).toBe('403 work_account_required');
    expect((await send(work)).status).toBe(201);
    workspace.ctx.config.work_accounts_only = false;
    expect((await send(right)).status).toBe(201);
  });

  it('429: too many requests from one address, before anything is looked at', async () => {
    const usual = workspace.ctx.config.sign_in;
    workspace.ctx.config.sign_in = { ...usual, requests_per_hour: 0 };
    const body = JSON.stringify({ account: { name: 'A', email_address: 'x', one_time_code: '123456' } });
    const refused = await raw(workspace.url, { method: 'POST', path: '/accounts', headers: [asJson], body });
    workspace.ctx.config.sign_in = usual;
    expect([refused.status, refused.json.error?.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });
});
