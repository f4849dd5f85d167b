import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { inviteToSignUp } from '#shared/domain/identity/waitlist/invite.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf, failureOf, problemsOf } from '../../../support/failures.ts';
import { type ForgedIssuer, startForgedIssuer } from '../../../support/forged-issuer.ts';
import { givenCode, newAddress } from '../../../support/one-time-codes.ts';
import { REDIRECT, startProvider, type TestProvider } from '../../../support/openid-provider.ts';
import { type AccountBody, signUp, storedOf } from '../../../support/sign-up.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

describe('signing up by a provider', () => {
  let workspace: Workspace;
  let provider: TestProvider;
  let forged: ForgedIssuer;
  beforeAll(async () => {
    [workspace, provider, forged] = await Promise.all([
      startWorkspace(),
      startProvider(),
      startForgedIssuer(),
    ]);
    const clients = { oidc: provider.client, google: forged.client };
    workspace.ctx.config.openid = { clients, redirect_urls: [REDIRECT] };
  });
  afterAll(() => Promise.all([workspace.stop(), provider.stop(), forged.stop()]));
  afterEach(() => {
    Object.assign(workspace.ctx.config, { sign_up: 'open', work_accounts_only: false });
    Object.assign(forged, { claims: {}, signed: 'as published', refusal: undefined, silent: false });
  });

  const send = (account: AccountBody) => signUp(workspace, account);
  const signIn = (session: object) => workspace.client().createSession({ body: { session } });

  /** A person of the provider. */
  function person(email = newAddress(), more: { email_verified?: boolean; name?: string } = {}) {
    const subject = crypto.randomUUID();
    provider.people[subject] = { email, email_verified: true, name: 'Ada Lovelace', ...more };
    return { subject, email };
  }
  async function begun(name: string) {
    const body = { provider: name, redirect_url: REDIRECT };
    return (await workspace.client().createSessionAuthorization({ body })).body.authorization;
  }
  /** What comes back for this person. */
  async function brought({ subject }: { subject: string }) {
    const { code, state, iss } = await provider.authorize((await begun('oidc')).url, subject);
    return { provider: 'oidc', authorization_code: code, state, iss };
  }
  /** What the forged issuer's next token is of. */
  async function forgedAs(claims: ForgedIssuer['claims']) {
    const { url, state } = await begun('google');
    forged.claims = claims;
    forged.sees(url);
    return { provider: 'google', authorization_code: 'x', state };
  }

  it('201: the verified address, and the name there; then the identity signs in', async () => {
    const ada = person();
    const { session } = (await send({ name: 'Acme', ...(await brought(ada)) })).body;
    const api = workspace.client(session.access_token as string);
    expect((await api.retrieveCurrentUser()).body.user).toMatchObject({
      ...{ email_address: ada.email, name: 'Ada Lovelace', first_name: 'Ada', role: 'owner' },
    });
    provider.people[ada.subject] = { email: newAddress(), email_verified: false };
    expect((await signIn(await brought(ada))).body.session.user_id).toBe(session.user_id);
  });

  it('201: a request that says the same address, in any case', async () => {
    const ada = person();
    const request = { name: 'Acme', email_address: ada.email.toUpperCase(), ...(await brought(ada)) };
    expect((await send(request)).status).toBe(201);
  });

  it.each(['\u202eEvil', 'Ada\r\nBcc: all@acme.example', ' ', 'x'.repeat(300)])(
    '201: a name that users may not have is left out: %j',
    async (name) => {
      const ada = person(newAddress(), { name });
      const { session } = (await send({ name: 'Acme', ...(await brought(ada)) })).body;
      const api = workspace.client(session.access_token as string);
      expect((await api.retrieveCurrentUser()).body.user.name).toBe(ada.email.split('@')[0]);
    },
  );

  it('400: an address that the provider has not verified, and another one than it has', async () => {
    const unsure = { name: 'Acme', ...(await brought(person(newAddress(), { email_verified: false }))) };
    expect(await codeOf(send(unsure))).toBe('400 invalid_email_address');
    const claimed = { ...unsure, email_address: newAddress() };
    expect(await codeOf(send(claimed))).toBe('400 invalid_email_address');
    const ada = { name: 'Acme', ...(await brought(person())) };
    const other = await failureOf(send({ ...ada, email_address: newAddress() }));
    expect([other.code, other.message]).toEqual(['invalid_email_address', expect.stringMatching(/another/)]);
    // What was wrong with a request sends nobody to the provider again.
    expect((await send(ada)).status).toBe(201);
  });

  it('409: the identity of a user, and the address of a user', async () => {
    const ada = person();
    const { session } = (await send({ name: 'Acme', ...(await brought(ada)) })).body;
    provider.people[ada.subject] = { email: newAddress(), email_verified: true };
    const again = await brought(ada);
    expect(await codeOf(send({ name: 'Next', ...again }))).toBe('409 identity_already_linked');
    expect((await signIn(again)).body.session.user_id).toBe(session.user_id);
    const namesake = person(ada.email);
    expect(await codeOf(send({ name: 'Next', ...(await brought(namesake)) }))).toBe(
      '409 email_address_in_use',
    );
  });

  it('201: the identity of a closed account, which is the new owner from then on', async () => {
    const ada = person();
    const first = (await send({ name: 'Acme', ...(await brought(ada)) })).body;
    await workspace.table.update<Account>(keys.account(first.account.id), { set: { status: 'closed' } });
    const next = (await send({ name: 'Acme', ...(await brought(ada)) })).body;
    expect((await signIn(await brought(ada))).body.session.user_id).toBe(next.session.user_id);
  });

  it('of two accounts for one identity at once, one is opened; also for one address and for one token', async () => {
    const ada = person();
    const [one, other] = [await brought(ada), await brought(ada)];
    const signup_token = (await inviteToSignUp(workspace.table, ada.email, new Date()))?.token ?? '';
    const by_code = { email_address: ada.email, one_time_code: await givenCode(workspace, ada.email) };
    const requests = [one, other, by_code].map((proof) => send({ name: 'Acme', signup_token, ...proof }));
    const all = await Promise.allSettled(requests);
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of all)
      if (each.status === 'rejected')
        expect(each.reason.code).toMatch(
          /^(invalid_signup_token|identity_already_linked|email_address_in_use)$/,
        );
    expect((await storedOf(workspace, ada.email))?.sessions).toHaveLength(1);
  });

  it('of two accounts for one identity at once, whose address changes meanwhile, one is opened', async () => {
    const ada = person();
    const one = await brought(ada);
    provider.people[ada.subject] = { email: newAddress(), email_verified: true };
    const other = await brought(ada);
    const all = await Promise.allSettled([one, other].map((proof) => send({ name: 'Acme', ...proof })));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    // The provider may say the new address for both.
    const code = expect.stringMatching(/^(identity_already_linked|email_address_in_use)$/);
    expect(all.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code } });
  });

  it('401: what was used, of nobody, and a token that does not hold', async () => {
    const ada = person();
    const used = { name: 'Acme', ...(await brought(ada)) };
    await send(used);
    expect(await codeOf(send(used))).toBe('401 invalid_credentials');
    expect(await codeOf(send({ ...used, state: 'nobody' }))).toBe('401 invalid_credentials');
    const verified = { email: newAddress(), email_verified: true };
    const stale = await forgedAs({ ...verified, exp: Math.floor(Date.now() / 1_000) - 120 });
    expect(await codeOf(send({ name: 'Acme', ...stale }))).toBe('401 invalid_credentials');
    forged.signed = 'not at all';
    const unsigned = await forgedAs(verified);
    expect(await codeOf(send({ name: 'Acme', ...unsigned }))).toBe('401 invalid_credentials');
  });

  it('503: a provider that does not respond; 400: one that the service does not have, and what is missing', async () => {
    const silent = await forgedAs({});
    forged.silent = true;
    expect(await codeOf(send({ name: 'Acme', ...silent }))).toBe('503 provider_lookup_unavailable');
    const unknown = { name: 'Acme', provider: 'microsoft', authorization_code: 'x', state: 'x' };
    expect(await codeOf(send(unknown))).toBe('400 unsupported_provider');
    expect(await problemsOf(send({ name: 'Acme', provider: 'oidc' }))).toEqual({
      authorization_code: 'required',
      state: 'required',
    });
  });

  it('403: without an invitation where it needs one, and by a public mail service where work accounts only sign up', async () => {
    const ada = person(`${crypto.randomUUID()}@outlook.com`);
    const request = { name: 'Acme', ...(await brought(ada)) };
    workspace.ctx.config.sign_up = 'invitation';
    expect(await codeOf(send(request))).toBe('403 invitation_required');
    workspace.ctx.config.work_accounts_only = true;
    const signup_token = (await inviteToSignUp(workspace.table, ada.email, new Date()))?.token ?? '';
    expect(await codeOf(send({ ...request, signup_token }))).toBe('403 work_account_required');
    workspace.ctx.config.work_accounts_only = false;
    expect((await send({ ...request, signup_token })).status).toBe(201);
  });
});
