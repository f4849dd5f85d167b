import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { newFamily, newRefreshToken } from '#shared/domain/identity/sessions/refresh-token.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { refuse } from '../../support/faults.ts';
import { logged } from '../../support/logged.ts';
import { mailsTo, sendOpenMail } from '../../support/outgoing-mail.ts';
import { asJson, type RawResponse, raw } from '../../support/raw.ts';
import { givenSession, storedSession } from '../../support/sessions.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /access_tokens', () => {
  let workspace: Workspace;
  let user: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    [user] = (await givenAccount(workspace, 1)) as [TestUser];
  });
  afterAll(() => workspace.stop());
  afterEach(() => workspace.setTime(undefined));

  const START = Date.parse('2031-05-01T10:00:00Z');
  const at = (seconds: number) => {
    const time = new Date(START + seconds * 1_000);
    workspace.setTime(time);
    return time;
  };
  const open = () => givenSession(workspace, user, at(0));
  const refresh = (refresh_token: string) =>
    workspace.client().createAccessToken({ body: { refresh_token } });
  const outcome = (token: string) => codeOf(refresh(token));

  describe('with the token in the body', () => {
    it('200: an access token, and the next refresh token in body and cookie', async () => {
      const { tokens, session } = await open();
      at(60);
      const { status, body, headers } = await refresh(tokens.refresh_token);
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(body).toEqual({
        access_token: expect.stringMatching(/^wsk_session_/),
        token_type: 'Bearer',
        expires_in: 900,
        refresh_token: expect.stringMatching(/^wsk_refresh_/),
      });
      expect(headers.get('set-cookie')).toContain(`refresh_token=${body.refresh_token};`);
      const own = (await workspace.client(body.access_token).listSessions()).body.sessions;
      expect(own.find(({ current }) => current)?.id).toBe(session.id);
    });

    it('takes it before the cookie, also from pages elsewhere', async () => {
      const [one, other] = [await open(), await open()];
      const headers = {
        Cookie: `refresh_token=${other.tokens.refresh_token}`,
        Origin: 'https://evil.example',
      };
      const body = { refresh_token: one.tokens.refresh_token };
      expect((await workspace.client().createAccessToken({ body, headers })).status).toBe(200);
      expect((await storedSession(workspace, other.session))?.generation).toBe(0);
    });

    it.each([
      ['', { refresh_token: 'required' }],
      [' ', { refresh_token: 'required' }],
      [null, { refresh_token: 'invalid' }],
      [7, { refresh_token: 'invalid' }],
      ['x'.repeat(1_001), { refresh_token: 'too_long' }],
    ])('400: %j', async (token, problems) => {
      expect(await problemsOf(refresh(token as string))).toEqual(problems);
    });

    it('400 required without any token, with and without a body', async () => {
      for (const body of [undefined, '', '{}']) {
        const headers = body ? [asJson] : [];
        const sent = {
          method: 'POST',
          path: '/access_tokens',
          headers,
          ...(body === undefined ? {} : { body }),
        };
        const { status, json } = await raw(workspace.url, sent);
        expect([status, json.error?.fields]).toMatchObject([400, { refresh_token: { code: 'required' } }]);
      }
    });
  });

  describe('refuses', () => {
    it('401 invalid_refresh_token: what is no token, a made-up one, an access token, a key', async () => {
      const { tokens } = await open();
      const ids = { user_id: user.user.id, session_id: newId(new Date()) };
      const made = newRefreshToken({ ...ids, generation: 0, family: newFamily() }).text;
      const wrong = ['x', tokens.refresh_token.slice(0, -1), `${tokens.refresh_token}A`, made];
      for (const token of [...wrong, tokens.access_token, user.write_key])
        expect(await outcome(token)).toBe('401 invalid_refresh_token');
      expect((await refresh(tokens.refresh_token)).status).toBe(200);
    });

    it('401 expired_refresh_token', async () => {
      const { tokens } = await open();
      at(30 * 86_400);
      expect(await outcome(tokens.refresh_token)).toBe('401 expired_refresh_token');
    });

    it('401 token_revoked: the session, the user or the account is closed', async () => {
      const [ended, kept] = [await open(), await open()];
      await ended.api.deleteCurrentSession();
      expect(await outcome(ended.tokens.refresh_token)).toBe('401 token_revoked');
      const { id, account_id } = user.user;
      const setUser = (status: User['status']) =>
        workspace.table.update<User>(keys.user(account_id, id), { set: { status } });
      const setAccount = (status: Account['status']) =>
        workspace.table.update<Account>(keys.account(account_id), { set: { status } });
      await setUser('deactivated');
      expect(await outcome(kept.tokens.refresh_token)).toBe('401 token_revoked');
      await setUser('active');
      await setAccount('closed');
      expect(await outcome(kept.tokens.refresh_token)).toBe('401 token_revoked');
      await setAccount('active');
      expect((await refresh(kept.tokens.refresh_token)).status).toBe(200);
    });

    it('409 duplicate_refresh_attempted within 10 seconds, without a cookie, and changes nothing', async () => {
      const { tokens } = await open();
      const { refresh_token } = (await refresh(tokens.refresh_token)).body;
      at(10);
      const refused = await failureOf(refresh(tokens.refresh_token));
      expect([refused.status, refused.code]).toEqual([409, 'duplicate_refresh_attempted']);
      expect(refused.headers.has('set-cookie')).toBe(false);
      expect((await refresh(refresh_token as string)).status).toBe(200);
    });

    it('401 token_theft_detected later: ends the session with its access tokens, and mails its user once', async () => {
      const [victim] = (await givenAccount(workspace, 1)) as [TestUser];
      const email_address = `theft-${victim.user.id}@signin.example`;
      await workspace.table.update<User>(keys.user(victim.user.account_id, victim.user.id), {
        set: { email_address },
      });
      const { tokens, session, api } = await givenSession(workspace, victim, at(0));
      const thief = (await refresh(tokens.refresh_token)).body;
      at(11);
      const outcomes = await Promise.all([outcome(tokens.refresh_token), outcome(tokens.refresh_token)]);
      expect(outcomes).toContain('401 token_theft_detected');
      for (const client of [api, workspace.client(thief.access_token)])
        expect(await codeOf(client.retrieveCurrentUser())).toBe('401 unauthorized');
      expect(await outcome(thief.refresh_token as string)).toBe('401 token_revoked');
      expect(await storedSession(workspace, session)).toMatchObject({ ended_by: 'theft' });
      const { records } = (await victim.session.listAuditEvents()).body.collection;
      const stolen = records.filter(({ action }) => action === 'session_stolen');
      expect(stolen).toMatchObject([{ user_id: null, subject: { id: session.id }, ip_address: '127.0.0.1' }]);
      await sendOpenMail(workspace);
      const mails = await mailsTo(workspace, email_address);
      expect(mails).toHaveLength(1);
      expect(mails[0]?.subject).toBe('We ended one of your sessions');
      expect(mails[0]?.text).toContain('Used last by: node');
    });

    it('500 could_not_save_access_token: the refresh token still works', async () => {
      const { tokens } = await open();
      const fault = refuse(workspace.table, 'PutItemCommand', { type: 'InternalServerError' });
      expect(await outcome(tokens.refresh_token)).toBe('500 could_not_save_access_token');
      fault.remove();
      expect((await refresh(tokens.refresh_token)).status).toBe(200);
    });

    it('500 could_not_save_refresh_token: the refresh token still works', async () => {
      const { tokens } = await open();
      // The first update counts the request.
      const fault = refuse(workspace.table, 'UpdateItemCommand', [
        undefined as never,
        { type: 'AccessDeniedException' },
      ]);
      expect(await outcome(tokens.refresh_token)).toBe('500 could_not_save_refresh_token');
      fault.remove();
      expect((await refresh(tokens.refresh_token)).status).toBe(200);
    });
  });

  describe('with the cookie', () => {
    const cookie = (value: string): [string, string] => ['Cookie', value];
    const sent = (headers: [string, string][], base = workspace.url) =>
      raw(base, { method: 'POST', path: '/access_tokens', headers });
    const own: [string, string] = ['Sec-Fetch-Site', 'same-origin'];
    const code = ({ status, json }: RawResponse) =>
      json.error ? `${status} ${json.error.code}` : String(status);
    const cookieOf = ({ headers }: RawResponse) => String(headers['set-cookie']).split(';')[0] as string;

    it('200: the next one in the cookie alone', async () => {
      const { tokens } = await open();
      const first = await sent([cookie(`a=b; refresh_token=${tokens.refresh_token}; c="d"`), own]);
      expect(Object.keys(first.json).sort()).toEqual(['access_token', 'expires_in', 'token_type']);
      expect(cookieOf(first)).toMatch(/^refresh_token=wsk_refresh_/);
      expect(cookieOf(first)).not.toContain(tokens.refresh_token);
      expect(code(await sent([cookie(cookieOf(first)), own]))).toBe('200');
    });

    it.each<[string, string, [string, string][]]>([
      ['200', 'the own origin, from a browser that says no more', [['Origin', 'URL']]],
      ['200', 'a page of the service behind another name', [own, ['Origin', 'https://app.acme.example']]],
      ['403 permission_denied', 'nothing', []],
      ['403 permission_denied', 'another origin', [['Origin', 'https://evil.example']]],
      ['403 permission_denied', 'an origin that begins alike', [['Origin', 'URL.evil.example']]],
      ['403 permission_denied', 'no origin', [['Origin', 'null']]],
      [
        '403 permission_denied',
        'two origins',
        [
          ['Origin', 'URL'],
          ['Origin', 'https://evil.example'],
        ],
      ],
      [
        '403 permission_denied',
        'another site',
        [
          ['Sec-Fetch-Site', 'cross-site'],
          ['Origin', 'URL'],
        ],
      ],
      ['403 permission_denied', 'a sister domain', [['Sec-Fetch-Site', 'same-site']]],
      ['403 permission_denied', 'the address bar', [['Sec-Fetch-Site', 'none']]],
      ['403 permission_denied', 'two sites', [own, ['Sec-Fetch-Site', 'cross-site']]],
    ])('%s: %s', async (expected, _, headers) => {
      const { tokens, session } = await open();
      const filled = headers.map(([name, value]): [string, string] => [
        name,
        value.replace('URL', workspace.url),
      ]);
      expect(code(await sent([cookie(`refresh_token=${tokens.refresh_token}`), ...filled]))).toBe(expected);
      // A refused request has not used the token up.
      expect((await storedSession(workspace, session))?.generation).toBe(expected === '200' ? 1 : 0);
    });

    it('400 required: an empty cookie, or one of another name', async () => {
      for (const value of ['refresh_token=', 'Refresh_Token=x', 'refresh_token2=x', ';;', 'refresh_token'])
        expect(code(await sent([cookie(value), own]))).toBe('400 invalid_request');
    });

    it('401: two cookies with the name, in one header or two, of which one could be planted', async () => {
      const { tokens } = await open();
      const [mine, planted] = [`refresh_token=${tokens.refresh_token}`, 'refresh_token=other'];
      for (const headers of [[cookie(`${mine}; ${planted}`)], [cookie(mine), cookie(planted)]])
        expect(code(await sent([...headers, own]))).toBe('401 invalid_refresh_token');
      expect(code(await sent([cookie(`${mine}; ${mine}`), own]))).toBe('200');
    });

    it('of two tabs at once, serves one; the other goes on with the new cookie', async () => {
      const { tokens } = await open();
      const old = cookie(`refresh_token=${tokens.refresh_token}`);
      const both = await Promise.all([sent([old, own]), sent([old, own])]);
      expect(both.map(code).sort()).toEqual(['200', '409 duplicate_refresh_attempted']);
      const served = both.find(({ status }) => status === 200) as RawResponse;
      expect(code(await sent([cookie(cookieOf(served)), own]))).toBe('200');
    });

    it('lets no page elsewhere send cookies', async () => {
      workspace.ctx.config.cors_origins = ['https://app.acme.example'];
      const preflight = await raw(workspace.url, {
        method: 'POST',
        path: '/access_tokens',
        headers: [['Origin', 'https://app.acme.example']],
      });
      workspace.ctx.config.cors_origins = [];
      expect(preflight.headers).toHaveProperty('access-control-allow-origin');
      expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
    });
  });

  it('writes no token into logs, whatever fails', async () => {
    const { tokens } = await open();
    const fault = refuse(workspace.table, 'PutItemCommand', { type: `no ${tokens.refresh_token}` });
    const written = await logged(async () => {
      await failureOf(refresh(tokens.refresh_token));
      fault.remove();
      const { body } = await refresh(tokens.refresh_token);
      at(60);
      await failureOf(refresh(tokens.refresh_token));
      await failureOf(workspace.client(body.access_token).retrieveCurrentUser());
    });
    expect(written).toContain('could_not_save_access_token');
    expect(written).toContain('refresh token used twice');
    expect(written).not.toMatch(/wsk_(session|refresh)_\w/);
  });
});
