import { afterAll, beforeAll, expect, it } from 'vitest';
import { inviteToSignUp } from '#shared/domain/identity/waitlist/invite.ts';
import { operations } from '../../functions/catalogue.ts';
import { connectMailbox, type OwnServers, PASSWORD, startOwnServers } from '../support/connected.ts';
import { aToken } from '../support/devices.ts';
import { failCall } from '../support/faults.ts';
import { logged } from '../support/logged.ts';
import { reduced } from '../support/long.ts';
import {
  REDIRECT as MAIL_REDIRECT,
  startMailProvider,
  type TestMailProvider,
} from '../support/mail-provider.ts';
import { readMailbox } from '../support/mail-sync.ts';
import { newAddress, wrongCode } from '../support/one-time-codes.ts';
import { REDIRECT, startProvider, type TestProvider } from '../support/openid-provider.ts';
import { mailedCode } from '../support/outgoing-mail.ts';
import { overhear } from '../support/overheard.ts';
import { asJson, bearer, raw } from '../support/raw.ts';
import { scan } from '../support/scan.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/**
 * Everything that the service logs, stores and answers while people sign in, renew tokens, make keys, register devices and
 * connect mailboxes, also when each call of the table fails: no token, code or secret is in it, but in the one response that
 * gives it.
 */

let workspace: Workspace;
let provider: TestProvider;
let mail_provider: TestMailProvider;
let own: OwnServers;
beforeAll(async () => {
  [workspace, provider] = await Promise.all([startWorkspace({ own_table: true }), startProvider()]);
  mail_provider = await startMailProvider(workspace);
  own = await startOwnServers(workspace);
  const redirect_urls = [REDIRECT, MAIL_REDIRECT];
  workspace.ctx.config.openid = { clients: { oidc: provider.client }, redirect_urls };
  provider.people.ada = { email: workspace.ada.user.email_address, email_verified: true };
});
afterAll(() => Promise.all([workspace?.stop(), provider?.stop(), mail_provider?.stop(), own?.stop()]));

/** What must be nowhere, by what it is. */
const secrets: [what: string, value: string][] = [];
const keep = (what: string, value: string) => {
  secrets.push([what, value]);
  return value;
};

const api = () => workspace.client();
/** Limits by the hour do not matter. */
let hours = 0;
const later = () => workspace.setTime(new Date(Date.now() + ++hours * 3_700_000));

const steps: Record<string, () => Promise<unknown>> = {
  async code() {
    later();
    const { email_address } = workspace.ada.user;
    await api().createOneTimeCode({ body: { email_address } });
    const one_time_code = keep('code', await mailedCode(workspace, email_address));
    const sign_in = (code: string) =>
      api().createSession({
        body: { session: { email_address, one_time_code: code, token_delivery: 'body' } },
      });
    await sign_in(wrongCode(one_time_code)).catch(() => undefined);
    const { access_token, refresh_token } = (await sign_in(one_time_code)).body.session;
    keep('access token', `${access_token}`);
    const body = { refresh_token: keep('refresh token', `${refresh_token}`) };
    const next = (await api().createAccessToken({ body })).body;
    keep('access token', next.access_token);
    const Cookie = `refresh_token=${keep('refresh token', `${next.refresh_token}`)}`;
    await raw(workspace.url, { method: 'POST', path: '/access_tokens', headers: [['Cookie', Cookie]] });
    later();
    await api()
      .createAccessToken({ body })
      .catch(({ code }) => expect(code).toBe('token_theft_detected'));
  },
  async signing_up() {
    const email_address = newAddress();
    await api().createOneTimeCode({ body: { email_address } });
    const one_time_code = keep('code', await mailedCode(workspace, email_address));
    const invited = await inviteToSignUp(workspace.table, email_address, new Date());
    const signup_token = keep('signup token', `${invited?.token}`);
    const account = { name: 'Logged', email_address, one_time_code, signup_token };
    const { session } = (
      await api().createAccount({ body: { account: { ...account, token_delivery: 'body' } } })
    ).body;
    keep('access token', `${session.access_token}`);
    keep('refresh token', `${session.refresh_token}`);
  },
  async provider() {
    const { authorization } = (
      await api().createSessionAuthorization({ body: { provider: 'oidc', redirect_url: REDIRECT } })
    ).body;
    const { code, state, iss } = await provider.authorize(authorization.url, 'ada');
    keep('authorization code', code);
    keep('state', state);
    for (const name of ['nonce', 'code_challenge'])
      keep(name, new URL(authorization.url).searchParams.get(name) ?? '');
    const session = { provider: 'oidc', authorization_code: code, state, iss };
    const headers = [asJson, ['Sec-Fetch-Site', 'cross-site'] as [string, string]];
    const request = { method: 'POST', path: '/sessions', headers, body: JSON.stringify({ session }) };
    const response = await raw(workspace.url, request);
    const cookie = /refresh_token=([^;]+)/.exec(String(response.headers['set-cookie']))?.[1];
    if (cookie) keep('refresh token', cookie);
  },
  async key() {
    const draft = { name: 'Logged', tier: 'read' as const };
    const { api_key } = (await workspace.ada.session.createApiKey({ body: { api_key: draft } })).body;
    const client = workspace.client(keep('API key', api_key.secret));
    await client.retrieveCurrentUser();
    await client.createTag({ body: { tag: { name: 'Refused' } } }).catch(() => undefined);
    await workspace.ada.session.deleteApiKey({ params: { id: api_key.id } });
    await client.retrieveCurrentUser().catch(() => undefined);
  },
  async device() {
    const token = keep('token of a device', aToken.android());
    await workspace.ada.session.createDeviceToken({
      body: { device_token: { platform: 'android', token } },
    });
  },
  async invitation() {
    const invited = await inviteToSignUp(workspace.table, newAddress(), new Date());
    keep('signup token', `${invited?.token}`);
  },
  async mailbox() {
    later();
    const { session } = workspace.ada;
    const secret = keep('password', PASSWORD);
    const { mailbox } = (await connectMailbox(workspace.ada, newAddress(), own.servers(secret))).body;
    await connectMailbox(
      workspace.ada,
      newAddress(),
      own.servers(keep('password', 'a wrong password')),
    ).catch(() => undefined);
    await session.deleteMailbox({ params: { id: mailbox.id } });
  },
  async consent() {
    later();
    const { session } = workspace.ada;
    const address = newAddress();
    mail_provider.person(address);
    const body = { authorization: { provider: 'gmail', redirect_url: MAIL_REDIRECT } } as const;
    const { url } = (await session.createMailboxAuthorization({ body })).body.authorization;
    const brought = mail_provider.consent(url, address);
    keep('authorization code', brought.authorization_code);
    keep('state', brought.state);
    const made = await session.createMailbox({ body: { mailbox: { provider: 'gmail', ...brought } } });
    const { id } = made.body.mailbox;
    later();
    await readMailbox(workspace, workspace.ada, id);
    for (const token of mail_provider.given.splice(0)) keep('token of a mailbox', token);
    await session.deleteMailbox({ params: { id } });
  },
};

/** A device is told by its token, and what a provider says is compared with the nonce: both stand in no response. */
const STORED = new Set(['token of a device', 'nonce']);

/** The service gives these, in one response each; others are never told. */
const GIVEN = new Set(['API key', 'access token', 'refresh token', 'state', 'nonce', 'code_challenge']);

const asText = (_: string, value: unknown) => (value instanceof Set ? [...value] : value);

/** Every list and every record of the caller that has no parameter, as the owner sees it. */
async function answered(): Promise<string> {
  later();
  const paths = operations.flatMap(({ definition: { method, path, access } }) =>
    method === 'GET' && access !== 'public' && typeof path === 'string' && !path.includes('{') ? [path] : [],
  );
  const headers = [bearer(workspace.ada.session_token)];
  const all = await Promise.all(paths.map((path) => raw(workspace.url, { path, headers })));
  expect(all.filter(({ status }) => status === 200).length).toBeGreaterThan(paths.length / 2);
  return all.map(({ text }) => text).join('\n');
}

/** Codes are six digits: those in a longer number or an id are another one. */
const has = (text: string, secret: string) =>
  /^\d{6}$/.test(secret) ? new RegExp(`(?<![\\w.-])${secret}(?![\\w.-])`).test(text) : text.includes(secret);

it('no secret is in a log, in the table or in a response but the one that gives it', async () => {
  const overheard = overhear();
  const log = await logged(async () => {
    for (const step of Object.values(steps)) {
      for (let call = 1; call <= reduced(48); call++) {
        const fault = failCall(workspace.table, call, 'before');
        await step().catch(() => undefined);
        fault.remove();
      }
      await step();
    }
  });
  const told = overheard.from(workspace.url);
  overheard.stop();
  expect(told.filter((each) => each.includes('"error"')).length).toBeGreaterThan(10);
  expect(log).toContain('Injected fault');
  expect(log).toContain('createAccessToken');
  const table = JSON.stringify(await scan(workspace.table), asText);
  const responses = await answered();
  const kinds = new Set(secrets.map(([what]) => what));
  expect([...kinds].sort()).toEqual([
    ...['API key', 'access token', 'authorization code', 'code', 'code_challenge', 'nonce'],
    ...['password', 'refresh token', 'signup token', 'state', 'token of a device', 'token of a mailbox'],
  ]);
  const found = secrets.flatMap(([what, value]) => [
    ...(has(log, value) ? [`${what} in the log`] : []),
    ...(has(table, value) && !STORED.has(what) ? [`${what} in the table`] : []),
    ...(has(responses, value) ? [`${what} in a later response`] : []),
    ...(told.filter((each) => has(each, value)).length > (GIVEN.has(what) ? 1 : 0)
      ? [`${what} in a response that does not give it`]
      : []),
  ]);
  expect(found).toEqual([]);
}, 300_000);
