import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { openAccount } from '#shared/domain/identity/accounts/open.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import type { Session } from '#shared/domain/identity/sessions/session.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { reduced, STRIDE } from '../../support/long.ts';
import { givenCode, newAddress, wrongCode } from '../../support/one-time-codes.ts';
import { asJson, raw } from '../../support/raw.ts';
import { storedSession } from '../../support/sessions.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('POST /sessions', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());
  afterEach(() => {
    workspace.ctx.config.sign_up = 'invitation';
    workspace.setTime(undefined);
  });

  type Draft = NonNullable<Parameters<Workspace['ada']['api']['createSession']>[0]>['body'];
  const signIn = (session: NonNullable<Draft>['session']) =>
    workspace.client().createSession({ body: { session } });
  const byCode = (email_address: string, one_time_code: string) => signIn({ email_address, one_time_code });

  /** An account with an owner of this address. */
  async function givenOwner(status: User['status'] = 'active') {
    const email_address = newAddress();
    const person = { name: 'Ada', email_address, time_zone: 'UTC', week_starts_on: 'monday' as const };
    const { owner } = await openAccount(workspace.table, { name: 'A', owner: person }, new Date());
    await setStatus(owner, status);
    return owner;
  }
  const setStatus = (user: User, status: User['status']) =>
    workspace.table.update<User>(keys.user(user.account_id, user.id), { set: { status } });
  const close = (user: User) =>
    workspace.table.update<Account>(keys.account(user.account_id), { set: { status: 'closed' } });

  it('201: a session whose access token works, and the refresh token in the cookie alone', async () => {
    const user = await givenOwner();
    const now = new Date('2031-05-01T10:00:00.000Z');
    workspace.setTime(now);
    const code = await givenCode(workspace, user.email_address);
    const { status, body, headers } = await workspace.client().createSession({
      body: { session: { email_address: user.email_address, one_time_code: code } },
      headers: { 'User-Agent': 'Browser/1.0' },
    });
    expect(status).toBe(201);
    expect(body.session).toEqual({
      id: expect.any(String),
      user_id: user.id,
      account_id: user.account_id,
      access_token: expect.stringMatching(/^wsk_session_/),
      token_type: 'Bearer',
      expires_in: 900,
      refresh_token: null,
      user_agent: 'Browser/1.0',
      ip_address: '127.0.0.1',
      last_used_at: null,
      expires_at: '2031-05-31T10:00:00.000Z',
      current: true,
      created_at: now.toISOString(),
      updated_at: null,
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('set-cookie')).toMatch(
      /^refresh_token=wsk_refresh_[\w-]+; Max-Age=2592000; Path=\/access_tokens; HttpOnly; SameSite=Strict$/,
    );
    const api = workspace.client(body.session.access_token as string);
    expect((await api.retrieveCurrentUser()).body.user.id).toBe(user.id);
    workspace.setTime(new Date(now.getTime() + 900_000));
    expect(await codeOf(api.retrieveCurrentUser())).toBe('401 unauthorized');
  });

  it('201: the refresh token in the body as well, which is the one in the cookie', async () => {
    const { email_address } = await givenOwner();
    const one_time_code = await givenCode(workspace, email_address);
    const { body, headers } = await signIn({ email_address, one_time_code, token_delivery: 'body' });
    const { refresh_token } = body.session;
    expect(headers.get('set-cookie')).toContain(`refresh_token=${refresh_token};`);
  });

  it('stores digests only', async () => {
    const { email_address } = await givenOwner();
    const one_time_code = await givenCode(workspace, email_address);
    const { session } = (await signIn({ email_address, one_time_code, token_delivery: 'body' })).body;
    const stored = await storedSession(workspace, session);
    const credential = await workspace.table.get(keys.credential(hashSecret(session.access_token as string)));
    expect(credential).toMatchObject({ id: session.id, expires_epoch: expect.any(Number) });
    for (const secret of [session.access_token, session.refresh_token])
      expect(JSON.stringify([stored, credential])).not.toContain(secret);
  });

  it('201: the address in any case', async () => {
    const { email_address } = await givenOwner();
    const code = await givenCode(workspace, email_address);
    expect((await byCode(` ${email_address.toUpperCase()} `, code)).status).toBe(201);
  });

  it('201: an invited user, who is active from then on', async () => {
    const user = await givenOwner('invited');
    const code = await givenCode(workspace, user.email_address);
    const { session } = (await byCode(user.email_address, code)).body;
    const { body } = await workspace.client(session.access_token as string).retrieveCurrentUser();
    expect(body.user).toMatchObject({ id: user.id, status: 'active' });
  });

  it('is kept in the audit of the account, as are joining, signing out and ending sessions', async () => {
    const user = await givenOwner('invited');
    const open = async () => {
      const code = await givenCode(workspace, user.email_address);
      const { session } = (await byCode(user.email_address, code)).body;
      return { id: session.id, api: workspace.client(session.access_token as string) };
    };
    const [first, second, third] = [await open(), await open(), await open()];
    await second.api.deleteSession({ params: { id: first.id } });
    await second.api.deleteCurrentSession();
    const { records } = (await third.api.listAuditEvents()).body.collection;
    const by = (credential_id: string) => ({ user_id: user.id, credential_id, ip_address: '127.0.0.1' });
    const ofSessions = records.filter(({ subject }) => subject.type === 'session').reverse();
    expect(ofSessions).toMatchObject([
      { action: 'signed_in', subject: { id: first.id }, ...by(first.id) },
      { action: 'signed_in', subject: { id: second.id }, ...by(second.id) },
      { action: 'signed_in', subject: { id: third.id }, ...by(third.id) },
      { action: 'session_ended', subject: { id: first.id }, ...by(second.id) },
      { action: 'signed_out', subject: { id: second.id }, ...by(second.id) },
    ]);
    expect(records.filter(({ action }) => action === 'user_joined')).toHaveLength(1);
  });

  it('401: a wrong code, one that was used, and one that a newer one has ended', async () => {
    const { email_address } = await givenOwner();
    const older = await givenCode(workspace, email_address);
    expect(await codeOf(byCode(email_address, wrongCode(older)))).toBe('401 invalid_credentials');
    const newer = await givenCode(workspace, email_address);
    if (older !== newer) expect(await codeOf(byCode(email_address, older))).toBe('401 invalid_credentials');
    expect((await byCode(email_address, newer)).status).toBe(201);
    expect(await codeOf(byCode(email_address, newer))).toBe('401 invalid_credentials');
  });

  it('401: a code for another address', async () => {
    const [one, other] = [await givenOwner(), await givenOwner()];
    const code = await givenCode(workspace, one.email_address);
    expect(await codeOf(byCode(other.email_address, code))).toBe('401 invalid_credentials');
  });

  it('401 alike, byte for byte, for known and unknown addresses', async () => {
    const refused = await Promise.all(
      [(await givenOwner()).email_address, newAddress()].map((email_address) =>
        failureOf(byCode(email_address, '000000')),
      ),
    );
    expect(new Set(refused.map(({ message, status }) => `${status} ${message}`)).size).toBe(1);
    expect(refused[0]?.headers.get('www-authenticate')).toBe('Bearer');
    expect(refused[0]?.headers.has('set-cookie')).toBe(false);
  });

  it.each([
    ['invitation', '403 invitation_required'],
    ['closed', '403 invitation_required'],
    ['open', '401 invalid_credentials'],
  ] as const)('a right code without a user, signing up is %s: %s, and the code stays', async (mode, code) => {
    workspace.ctx.config.sign_up = mode;
    const email_address = newAddress();
    const one_time_code = await givenCode(workspace, email_address);
    for (let i = 0; i < 7; i++) expect(await codeOf(byCode(email_address, one_time_code))).toBe(code);
  });

  it('403: a user of a closed account, whose address may sign up again', async () => {
    const user = await givenOwner();
    await close(user);
    const code = await givenCode(workspace, user.email_address);
    expect(await codeOf(byCode(user.email_address, code))).toBe('403 invitation_required');
    const { email_address, time_zone, week_starts_on } = user;
    const person = { name: 'Ada', email_address, time_zone, week_starts_on };
    const { owner } = await openAccount(workspace.table, { name: 'B', owner: person }, new Date());
    expect((await byCode(email_address, code)).body.session).toMatchObject({ user_id: owner.id });
  });

  it('401: a deactivated user; access ends with the next request of every session', async () => {
    const user = await givenOwner();
    const { email_address } = user;
    const one_time_code = await givenCode(workspace, email_address);
    const { session } = (await signIn({ email_address, one_time_code, token_delivery: 'body' })).body;
    await setStatus(user, 'deactivated');
    const code = await givenCode(workspace, email_address);
    expect(await codeOf(byCode(email_address, code))).toBe('401 invalid_credentials');
    const api = workspace.client(session.access_token as string);
    expect(await codeOf(api.listSessions())).toBe('401 unauthorized');
    const refresh_token = session.refresh_token as string;
    expect(await codeOf(api.createAccessToken({ body: { refresh_token } }))).toBe('401 token_revoked');
  });

  it('of many requests with one code at once, serves one', async () => {
    const { email_address } = await givenOwner();
    const code = await givenCode(workspace, email_address);
    const all = await Promise.allSettled(
      Array.from({ length: reduced(16) }, () => byCode(email_address, code)),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of all)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'invalid_credentials' });
  });

  it.each(['before', 'after'] as const)(
    'fails %s any call: all or nothing, and no code is lost',
    async (when) => {
      for (let call = 1; ; call += STRIDE) {
        const user = await givenOwner();
        const { email_address } = user;
        const code = await givenCode(workspace, email_address);
        const fault = failCall(workspace.table, call, when);
        const first = await byCode(email_address, code).then(
          () => 'ok',
          (error) => error.code,
        );
        fault.remove();
        if (!fault.hit) break;
        const stored = await workspace.table.all<Session>(keys.session(user.id, '').PK);
        const again = await byCode(email_address, code).then(
          () => 'ok',
          (error) => error.code,
        );
        // Used up only by the transaction that opened a session, whose response was lost.
        expect([first, stored.length, again]).toEqual(
          stored.length === 1 ? [first, 1, 'invalid_credentials'] : ['error', 0, 'ok'],
        );
      }
    },
  );

  it.each<[string, object, Record<string, string>]>([
    ['nothing', {}, { email_address: 'required', one_time_code: 'required' }],
    ['no code', { email_address: 'a@b.example' }, { one_time_code: 'required' }],
    ['no address', { one_time_code: '123456' }, { email_address: 'required' }],
    [
      'no address at all',
      { email_address: 'ada', one_time_code: '123456' },
      { email_address: 'invalid_format' },
    ],
    [
      'five digits',
      { email_address: 'a@b.example', one_time_code: '12345' },
      { one_time_code: 'invalid_format' },
    ],
    [
      'full-width digits',
      { email_address: 'a@b.example', one_time_code: '１２３４５６' },
      { one_time_code: 'invalid_format' },
    ],
    [
      'a line break',
      { email_address: 'a@b.example\r\nBcc: c', one_time_code: '123456' },
      { email_address: 'invalid_format' },
    ],
    [
      '400 characters',
      { email_address: `${'a'.repeat(400)}@b.example`, one_time_code: '123456' },
      { email_address: 'too_long' },
    ],
    ['a password', { email_address: 'a@b.example', password: 'x' }, { password: 'not_allowed' }],
    ['another delivery', { token_delivery: 'url' }, { token_delivery: 'invalid' }],
    ['an account that is none', { account_id: 'acme' }, { account_id: 'invalid_format' }],
    [
      'a number',
      { email_address: 1, one_time_code: 123_456 },
      { email_address: 'invalid', one_time_code: 'invalid' },
    ],
  ])('400: %s', async (_, session, problems) => {
    expect(await problemsOf(signIn(session as never))).toEqual(problems);
  });

  it('400: a provider', async () => {
    const session = { provider: 'google', authorization_code: 'x', state: 'y' };
    expect(await codeOf(signIn(session))).toBe('400 unsupported_provider');
  });

  it('429: too many requests from one address, whatever a header says, with Retry-After', async () => {
    const usual = workspace.ctx.config.sign_in;
    workspace.ctx.config.sign_in = { ...usual, requests_per_hour: 0 };
    const body = JSON.stringify({ session: { email_address: newAddress(), one_time_code: '123456' } });
    const headers = [asJson, ['X-Forwarded-For', '203.0.113.9'] as [string, string]];
    for (const path of ['/sessions', '/access_tokens']) {
      const refused = await raw(workspace.url, { method: 'POST', path, headers, body });
      expect([refused.status, refused.json.error?.code]).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    workspace.ctx.config.sign_in = usual;
  });

  it('429: counts a client that names another address in each request as one', async () => {
    const usual = workspace.ctx.config.sign_in;
    const body = JSON.stringify({ session: { email_address: newAddress(), one_time_code: '123456' } });
    const ask = (address: string) =>
      raw(workspace.url, {
        ...{ method: 'POST', path: '/sessions', body },
        headers: [asJson, ['X-Forwarded-For', address], ['Forwarded', `for=${address}`]],
      });
    // An hour without requests of other tests.
    workspace.setTime(new Date('2033-01-01T00:00:00Z'));
    workspace.ctx.config.sign_in = { ...usual, requests_per_hour: 2 };
    const statuses: number[] = [];
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
      statuses.push((await ask(address)).status);
    workspace.ctx.config.sign_in = usual;
    workspace.setTime(undefined);
    expect(statuses).toEqual([401, 401, 429]);
  });
});
