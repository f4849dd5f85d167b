import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findLink } from '#shared/domain/identity/openid/link.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { type ForgedIssuer, startForgedIssuer } from '../../support/forged-issuer.ts';
import { longIt } from '../../support/long.ts';
import { REDIRECT, startProvider, type TestProvider } from '../../support/openid-provider.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** Requests of a page of the service, in one browser. */
function browserOf({ url }: Workspace) {
  let cookie = '';
  return async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie, ...headers },
    });
    const given = response.headers.getSetCookie().find((each) => /^authorization=[^;]/.test(each));
    if (given) cookie = given.split(';')[0] as string;
    return { status: response.status, body: (await response.json()) as never, given };
  };
}

describe('signing in by a provider of OpenID Connect', () => {
  let workspace: Workspace;
  let provider: TestProvider;
  let forged: ForgedIssuer;
  beforeAll(async () => {
    [workspace, provider, forged] = await Promise.all([
      startWorkspace(),
      startProvider(),
      startForgedIssuer(),
    ]);
    workspace.ctx.config.openid = {
      clients: { oidc: provider.client, google: forged.client },
      redirect_urls: [REDIRECT],
    };
  });
  beforeEach(() => {
    workspace.setTime(undefined);
    workspace.ctx.config.sign_up = 'open';
    Object.assign(forged, { claims: {}, signed: 'as published', refusal: undefined, silent: false });
  });
  afterAll(() => Promise.all([workspace.stop(), provider.stop(), forged.stop()]));

  const api = () => workspace.client();
  const ask = (provider: string, redirect_url: string) =>
    api().createSessionAuthorization({ body: { provider, redirect_url } });
  const begin = async (name = 'oidc', redirect_url = REDIRECT) =>
    (await ask(name, redirect_url)).body.authorization;
  const enter = (session: object) => api().createSession({ body: { session: session as never } });
  /** What comes back for this person. */
  const brought = async (subject: string) => {
    const { url } = await begin();
    const { code, state, iss } = await provider.authorize(url, subject);
    return { provider: 'oidc', authorization_code: code, state, iss };
  };
  const knows = (subject: string, email: string, email_verified = true) => {
    provider.people[subject] = { email, email_verified, name: 'Ada Lovelace' };
  };
  /** What the forged issuer's next token leads to. */
  const forgedAs = async (said: Partial<ForgedIssuer>) => {
    Object.assign(forged, said);
    const { url, state } = await begin('google');
    forged.sees(url);
    return codeOf(enter({ provider: 'google', authorization_code: 'x', state }));
  };

  it('201: the first time by a verified address, then by issuer and subject', async () => {
    knows('ada-1', 'ADA@acme.example');
    const { user } = workspace.ada;
    const first = await enter({ ...(await brought('ada-1')), token_delivery: 'body' });
    expect([first.status, first.body.session.user_id]).toEqual([201, user.id]);
    const session = workspace.client(first.body.session.access_token as string);
    expect((await session.retrieveCurrentUser()).body.user.id).toBe(user.id);
    knows('ada-1', 'elsewhere@acme.example', false);
    expect((await enter(await brought('ada-1'))).body.session.user_id).toBe(user.id);
    const identity = { issuer: provider.client.issuer, subject: 'ada-1' };
    expect(await findLink(workspace.table, identity)).toMatchObject({ user_id: user.id });
  });

  it('the address of the provider has everything that a provider must prove to have seen', async () => {
    const { url, state, expires_at } = await begin();
    const sent = Object.fromEntries(new URL(url).searchParams);
    expect(sent).toEqual({
      ...{ client_id: 'workspace', redirect_uri: REDIRECT, response_type: 'code', state },
      ...{ scope: 'openid email profile', code_challenge_method: 'S256' },
      ...{ nonce: expect.stringMatching(/^.{43}$/), code_challenge: expect.stringMatching(/^.{43}$/) },
    });
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(590_000);
    const stored = await workspace.table.get(keys.authorization(state));
    expect(JSON.stringify(stored)).not.toContain(state);
  });

  longIt(
    '401: an address that the provider has not verified; 401 or 403 for somebody without an account',
    async () => {
      knows('grace-1', 'grace@acme.example', false);
      expect(await codeOf(enter(await brought('grace-1')))).toBe('401 invalid_credentials');
      knows('nobody', 'nobody@elsewhere.example');
      expect(await codeOf(enter(await brought('nobody')))).toBe('401 invalid_credentials');
      workspace.ctx.config.sign_up = 'invitation';
      const stays = await brought('nobody');
      expect(await codeOf(enter(stays))).toBe('403 invitation_required');
      // Who it was is remembered for POST /accounts, though the provider takes the code once.
      expect(await codeOf(enter(stays))).toBe('403 invitation_required');
    },
  );

  longIt(
    '401: a state that was used, is of another provider, expired, or comes with another code',
    async () => {
      knows('ada-2', 'ada@acme.example');
      const used = await brought('ada-2');
      await enter(used);
      expect(await codeOf(enter(used))).toBe('401 invalid_credentials');
      const other = await brought('ada-2');
      expect(await codeOf(enter({ ...other, provider: 'google' }))).toBe('401 invalid_credentials');
      expect(await codeOf(enter({ ...other, state: `${other.state}x` }))).toBe('401 invalid_credentials');
      expect(await codeOf(enter({ ...other, iss: 'https://elsewhere.example' }))).toBe(
        '401 invalid_credentials',
      );
      const late = await brought('ada-2');
      workspace.setTime(new Date(Date.now() + 601_000));
      expect(await codeOf(enter(late))).toBe('401 invalid_credentials');
      workspace.setTime(undefined);
      const mixed = await brought('ada-2');
      expect(await codeOf(enter({ ...mixed, authorization_code: 'x' }))).toBe('401 invalid_credentials');
      expect(await codeOf(enter(mixed))).toBe('401 invalid_credentials');
    },
  );

  longIt('of ten requests with one code, one signs in', async () => {
    knows('ada-3', 'ada@acme.example');
    const sent = await brought('ada-3');
    const tried = await Promise.allSettled(Array.from({ length: 10 }, () => enter(sent)));
    const codes = tried.map((each) => (each.status === 'fulfilled' ? 201 : each.reason.code));
    expect(codes.sort()).toEqual([201, ...Array.from({ length: 9 }, () => 'invalid_credentials')]);
  });

  longIt('a page of the service goes on only in the browser that began it', async () => {
    knows('ada-4', 'ada@acme.example');
    const [own, other] = [browserOf(workspace), browserOf(workspace)];
    const { body, given } = await own('/sessions/authorizations', {
      provider: 'oidc',
      redirect_url: REDIRECT,
    });
    expect(given).toMatch(/; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/);
    const { url } = (body as { authorization: { url: string } }).authorization;
    const { code, state } = await provider.authorize(url, 'ada-4');
    const session = { provider: 'oidc', authorization_code: code, state };
    await other('/sessions/authorizations', { provider: 'oidc', redirect_url: REDIRECT });
    expect((await other('/sessions', { session })).status).toBe(401);
    expect(await codeOf(enter(session))).toBe('401 invalid_credentials');
    // What was begun elsewhere is no page's either: its state may be that of an attacker.
    expect((await own('/sessions', { session: await brought('ada-4') })).status).toBe(401);
    expect((await own('/sessions', { session })).status).toBe(201);
  });

  it.each<[string, Partial<ForgedIssuer>]>([
    ['a right one of somebody without a verified address', {}],
    ['for another audience', { claims: { aud: 'another', email: 'ada@acme.example', email_verified: true } }],
    ['of another issuer', { claims: { iss: 'https://accounts.example' } }],
    ['that is expired', { claims: { exp: Math.floor(Date.now() / 1_000) - 120 } }],
    ['for another request', { claims: { nonce: 'another' } }],
    ['without a subject', { claims: { sub: undefined as never } }],
    ['by another key', { signed: 'by another key' }],
    ['signed with the secret that the service knows', { signed: 'with the secret' }],
    ['without a signature', { signed: 'not at all' }],
    [
      'in place of which the code is refused',
      { refusal: { status: 400, body: '{"error":"invalid_grant"}' } },
    ],
  ])('401: an ID token %s', async (_, said) => {
    expect(await forgedAs(said)).toBe('401 invalid_credentials');
  });

  it('201: an ID token that is a minute old by the clock of the provider', async () => {
    const claims = {
      email: 'linus@acme.example',
      email_verified: true,
      exp: Math.floor(Date.now() / 1_000) - 30,
    };
    Object.assign(forged, { claims });
    const { url, state } = await begin('google');
    forged.sees(url);
    const { body } = await enter({ provider: 'google', authorization_code: 'x', state });
    expect(body.session.user_id).toBe(workspace.linus.user.id);
  });

  it.each<[string, Partial<ForgedIssuer>]>([
    ['does not respond', { silent: true }],
    ['responds with an error', { refusal: { status: 500, body: '{}' } }],
    ['does not know the service', { refusal: { status: 401, body: '{"error":"invalid_client"}' } }],
    ['responds with no JSON', { refusal: { status: 200, body: 'Hello' } }],
  ])('503: a provider that %s', async (_, said) => {
    expect(await forgedAs(said)).toBe('503 provider_lookup_unavailable');
  });

  it('201: the same code again, once a provider that did not respond does', async () => {
    Object.assign(forged, { claims: { email: 'linus@acme.example', email_verified: true }, silent: true });
    const { url, state } = await begin('google');
    forged.sees(url);
    const sent = { provider: 'google', authorization_code: 'x', state };
    expect(await codeOf(enter(sent))).toBe('503 provider_lookup_unavailable');
    forged.silent = false;
    expect((await enter(sent)).body.session.user_id).toBe(workspace.linus.user.id);
    expect(await codeOf(enter(sent))).toBe('401 invalid_credentials');
  });

  it('401: a code that the provider refused, also when it would take it now', async () => {
    const claims = { email: 'linus@acme.example', email_verified: true };
    Object.assign(forged, { claims, refusal: { status: 400, body: '{"error":"invalid_grant"}' } });
    const { url, state } = await begin('google');
    forged.sees(url);
    const sent = { provider: 'google', authorization_code: 'x', state };
    expect(await codeOf(enter(sent))).toBe('401 invalid_credentials');
    forged.refusal = undefined;
    expect(await codeOf(enter(sent))).toBe('401 invalid_credentials');
  });

  it('400 for a provider that is not set up or unknown, and for what is missing', async () => {
    const rest = { authorization_code: 'x', state: 'x' };
    for (const provider of ['facebook', 'OIDC', 'microsoft']) {
      expect(await codeOf(ask(provider, REDIRECT))).toBe('400 unsupported_provider');
      expect(await codeOf(enter({ provider, ...rest }))).toBe('400 unsupported_provider');
    }
    const missing = { authorization_code: 'required', state: 'required' };
    expect(await problemsOf(enter({ provider: 'oidc' }))).toEqual(missing);
  });

  it.each([
    'https://app.acme.example/signed-in/',
    'https://app.acme.example/signed-in?x=1',
    'https://app.acme.example.evil.example/signed-in',
    'https://app.acme.example@evil.example/signed-in',
    'HTTPS://app.acme.example/signed-in',
    'http://app.acme.example/signed-in',
    'javascript:alert(1)',
    '//app.acme.example/signed-in',
    'signed-in',
  ])('400: a redirect address that only looks allowed: %s', async (redirect_url) => {
    expect(await problemsOf(ask('oidc', redirect_url))).toEqual({ redirect_url: 'invalid' });
  });

  it('of Microsoft, an address counts where its tenant has the domain: xms_edov', async () => {
    const { clients } = workspace.ctx.config.openid;
    clients.microsoft = forged.client;
    onTestFinished(() => void delete clients.microsoft);
    const signIn = async (claims: object) => {
      const known = { sub: 'linus-at-microsoft', email: 'linus@acme.example', email_verified: true };
      Object.assign(forged, { claims: { ...known, ...claims } });
      const { url, state } = await begin('microsoft');
      forged.sees(url);
      return enter({ provider: 'microsoft', authorization_code: 'x', state });
    };
    expect(await codeOf(signIn({}))).toBe('401 invalid_credentials');
    expect(await codeOf(signIn({ xms_edov: false }))).toBe('401 invalid_credentials');
    expect((await signIn({ xms_edov: true })).body.session.user_id).toBe(workspace.linus.user.id);
  });

  it('a page of the service itself may be redirected to, without parameters', async () => {
    const { url } = await begin('oidc', `${workspace.url}/app/signed-in`);
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${workspace.url}/app/signed-in`);
    for (const other of ['?x', '#x']) {
      const problems = problemsOf(ask('oidc', `${workspace.url}/app${other}`));
      expect(await problems).toEqual({ redirect_url: 'invalid' });
    }
    const user = `${workspace.url.replace('://', '://x@')}/app`;
    expect(await problemsOf(ask('oidc', user))).toEqual({ redirect_url: 'invalid' });
  });

  // Last: the keys that are known now are those of this test.
  it('201: an ID token by a key that the provider has published since', async () => {
    const claims = { email: 'linus@acme.example', email_verified: true };
    const sign = async (signed: ForgedIssuer['signed']) => {
      Object.assign(forged, { signed, claims });
      const { url, state } = await begin('google');
      forged.sees(url);
      return (await enter({ provider: 'google', authorization_code: 'x', state })).status;
    };
    expect(await sign('as published')).toBe(201);
    // Its keys are read again for an unknown one, once a minute.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await sign('by a new key')).toBe(201);
  });
});
