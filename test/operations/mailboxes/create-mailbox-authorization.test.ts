import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { openTokens } from '#shared/domain/mail/servers/login.ts';
import { keys } from '#shared/table/keys.ts';
import { connectMailbox, forgetAttempts, type OwnServers, startOwnServers } from '../../support/connected.ts';
import { shareMailbox } from '../../support/events.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { givenMailbox } from '../../support/mail.ts';
import { REDIRECT, startMailProvider, type TestMailProvider } from '../../support/mail-provider.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** docs/specification/mail.md, "Mailboxes at Gmail and Outlook". */
describe('mailboxes by the consent of their owners', () => {
  let workspace: Workspace;
  let provider: TestMailProvider;
  let own: OwnServers;
  beforeAll(async () => {
    workspace = await startWorkspace();
    own = await startOwnServers(workspace);
    provider = await startMailProvider(workspace);
  });
  afterEach(async () => {
    await forgetAttempts(workspace);
    workspace.setTime(undefined);
    provider.instead = () => undefined;
    provider.imap.instead = () => undefined;
  });
  afterAll(async () => {
    await provider.stop();
    await own.stop();
    await workspace.stop();
  });

  let count = 0;
  const given = (claims?: object) => {
    const address = `person${count++}@gmail.example`;
    provider.person(address, claims);
    return address;
  };
  const ask = (user: TestUser, asked: object = {}) =>
    user.session.createMailboxAuthorization({
      body: { authorization: { provider: 'gmail', redirect_url: REDIRECT, ...asked } as never },
    });
  const begin = async (user: TestUser, asked: object = {}) => (await ask(user, asked)).body.authorization;
  /** What comes back for this person. */
  const brought = async (user: TestUser, address: string, asked: object = {}) =>
    provider.consent((await begin(user, asked)).url, address);
  const create = (user: TestUser, mailbox: object) =>
    user.session.createMailbox({ body: { mailbox: { provider: 'gmail', ...mailbox } as never } });
  const connected = async (user: TestUser, address: string) =>
    (await create(user, await brought(user, address))).body.mailbox;
  const renew = (user: TestUser, id: string, mailbox: object) =>
    user.session.updateMailboxCredentials({ params: { id }, body: { mailbox: mailbox as never } });
  const stored = async ({ id }: { id: string }) =>
    (await workspace.table.get<Mailbox>(keys.mailbox(workspace.account_id, id))) as Mailbox;
  const tokensIn = (mailbox: Mailbox) =>
    mailbox.mail_server?.oauth && openTokens(workspace.ctx.config, mailbox.id, mailbox.mail_server.oauth);

  it('201: the address of the provider has all that it must see, and a mailbox is suggested', async () => {
    const { linus } = workspace;
    const { url, state, expires_at } = await begin(linus);
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      ...{ client_id: 'workspace', redirect_uri: REDIRECT, response_type: 'code', state },
      ...{ scope: 'openid email https://mail.google.com/', access_type: 'offline', prompt: 'consent' },
      ...{ nonce: expect.stringMatching(/^.{43}$/), code_challenge: expect.stringMatching(/^.{43}$/) },
      code_challenge_method: 'S256',
    });
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(590_000);
    expect(JSON.stringify(await workspace.table.get(keys.authorization(state)))).not.toContain(state);
    const outlook = new URL((await begin(linus, { provider: 'outlook' })).url).searchParams;
    expect(outlook.get('scope')).toMatch(/offline_access .*IMAP.AccessAsUser.All .*SMTP.Send/);
    const mailbox = await connected(linus, given());
    const again = new URL((await begin(linus, { mailbox_id: mailbox.id })).url).searchParams;
    expect(again.get('login_hint')).toBe(mailbox.email_address);
  });

  it('201: it is signed in to both servers as the provider says, and no token is told or stored', async () => {
    const { grace } = workspace;
    const address = given();
    const { body } = await create(grace, { ...(await brought(grace, address)), name: 'Work' });
    expect(body.mailbox).toMatchObject({
      ...{ provider: 'gmail', email_address: address, name: 'Work', access: 'owner', status: 'connecting' },
      ...{ label_sync: true, outbound_enabled: true, lock: null },
    });
    expect((await grace.reader.retrieveMailbox({ params: { id: body.mailbox.id } })).body).toEqual(body);
    expect(provider.imap.asked.at(-1)).toBeDefined();
    const item = await stored(body.mailbox);
    const { access_token = '', refresh_token = '' } = tokensIn(item) ?? {};
    expect([access_token, refresh_token]).toEqual([
      expect.stringMatching(/^access-/),
      expect.stringMatching(/^refresh-/),
    ]);
    for (const token of [access_token, refresh_token])
      expect(JSON.stringify([item, body])).not.toContain(token);
    const other = { ...item, id: randomUUID() };
    expect(tokensIn(other)).toBeUndefined();
  });

  longIt('201: at Outlook, the name to sign in with and an address that is verified', async () => {
    const { grace } = workspace;
    const [plain, named] = [given({}), given({ email: 'Grace.H@Acme.example', xms_edov: true })];
    const claimed = given({ email: 'boss@acme.example', email_verified: true });
    const addressOf = async (username: string) => {
      const sent = await brought(grace, username, { provider: 'outlook' });
      return (await create(grace, { provider: 'outlook', ...sent })).body.mailbox.email_address;
    };
    expect(await addressOf(plain)).toBe(plain);
    expect(await addressOf(named)).toBe('grace.h@acme.example');
    expect(await addressOf(claimed)).toBe(claimed);
  });

  it('201: a mailbox with mail from archives keeps its place', async () => {
    const { ada } = workspace;
    const id = await givenMailbox(workspace, ada);
    const { email_address } = (await ada.reader.retrieveMailbox({ params: { id } })).body.mailbox;
    provider.person(email_address);
    expect(await connected(ada, email_address)).toMatchObject({
      id,
      provider: 'gmail',
      status: 'connecting',
    });
  });

  longIt('409: an address is connected once, and the consent stays for when it is free', async () => {
    const { ada, grace } = workspace;
    const address = given();
    const first = await connected(ada, address);
    const sent = await brought(grace, address);
    expect(await codeOf(create(grace, sent))).toBe('409 mailbox_already_connected');
    await workspace.table.delete(keys.mailboxAddress(workspace.account_id, address));
    const { mailbox } = (await create(grace, sent)).body;
    expect(mailbox.id).not.toBe(first.id);
  });

  longIt(
    '400: a state of somebody else, of another provider or mailbox, that was used or has expired',
    async () => {
      const { ada, grace, hank } = workspace;
      const address = given();
      const state = { state: 'invalid' };
      for (const user of [ada, hank])
        expect(await problemsOf(create(user, await brought(grace, address)))).toEqual(state);
      const sent = await brought(grace, address);
      expect(await problemsOf(create(grace, { ...sent, provider: 'outlook' }))).toEqual(state);
      expect(await problemsOf(create(grace, { ...sent, state: `${sent.state}x` }))).toEqual(state);
      const { id } = (await create(grace, sent)).body.mailbox;
      expect(await problemsOf(create(grace, sent))).toEqual(state);
      expect(await problemsOf(create(grace, await brought(grace, address, { mailbox_id: id })))).toEqual(
        state,
      );
      expect(await problemsOf(renew(grace, id, await brought(grace, address)))).toEqual(state);
      const other = (await create(grace, await brought(grace, given()))).body.mailbox;
      const ofOther = await brought(grace, address, { mailbox_id: other.id });
      expect(await problemsOf(renew(grace, id, ofOther))).toEqual(state);
      const late = await brought(grace, given());
      workspace.setTime(new Date(Date.now() + 601_000));
      expect(await problemsOf(create(grace, late))).toEqual(state);
    },
  );

  longIt('of ten requests with one code, one connects', async () => {
    const { grace } = workspace;
    const sent = await brought(grace, given());
    const tried = await Promise.allSettled(Array.from({ length: 10 }, () => create(grace, sent)));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  longIt('400: a code that the provider refuses, and a consent to no mailbox', async () => {
    const { grace } = workspace;
    const code = { authorization_code: 'invalid' };
    const { state } = await begin(grace);
    expect(await problemsOf(create(grace, { authorization_code: 'x', state }))).toEqual(code);
    for (const claims of [{}, { email: 'x@gmail.example' }, { email: 'no address', email_verified: true }])
      expect(await problemsOf(create(grace, await brought(grace, given(claims))))).toEqual(code);
    const wrong = given({ email: 'elsewhere@gmail.example', email_verified: true });
    expect(await problemsOf(create(grace, await brought(grace, wrong)))).toEqual(code);
    const replayed = given({ nonce: 'another' });
    expect(await problemsOf(create(grace, await brought(grace, replayed)))).toEqual(code);
  });

  it('400 for a server that refuses the token; with the same code again once it takes it', async () => {
    const { grace } = workspace;
    const sent = await brought(grace, given());
    provider.imap.instead = ({ name }) =>
      name === 'AUTHENTICATE' ? { end: 'NO [AUTHENTICATIONFAILED] Secret words' } : undefined;
    expect(await problemsOf(create(grace, sent))).toEqual({ authorization_code: 'invalid' });
    provider.imap.instead = () => undefined;
    expect((await create(grace, sent)).status).toBe(201);
  });

  it.each<[string, ReturnType<TestMailProvider['instead']>]>([
    ['does not respond', 'drop'],
    ['has a fault', { status: 500, body: { error: 'server_error' } }],
    ['asks to wait', { status: 429, body: { error: 'invalid_grant' }, headers: { 'retry-after': '7' } }],
    ['does not know the service', { status: 401, body: { error: 'invalid_client' } }],
    ['answers no JSON', { status: 200, body: 'secret words' }],
    ['answers no token', { status: 200, body: { secret: 'words' } }],
  ])('502: a provider that %s, and the code may come again', async (_, answer) => {
    const { grace } = workspace;
    const sent = await brought(grace, given());
    provider.instead = (path) => (path.startsWith('/token') ? answer : undefined);
    const failing = create(grace, sent);
    expect(await codeOf(failing)).toBe('502 provider_failed');
    expect(JSON.stringify(await failing.catch((failed) => failed))).not.toContain('words');
    provider.instead = () => undefined;
    expect((await create(grace, sent)).status).toBe(201);
  });

  it('400: a provider that is not set up or unknown, what is missing, and what is of another kind', async () => {
    const { grace } = workspace;
    const { gmail } = workspace.ctx.config.mail_providers;
    const rest = { authorization_code: 'x', state: 'x' };
    workspace.ctx.config.mail_providers = {};
    expect(await codeOf(ask(grace))).toBe('400 unsupported_provider');
    expect(await codeOf(create(grace, rest))).toBe('400 unsupported_provider');
    workspace.ctx.config.mail_providers = gmail ? { gmail, outlook: gmail } : {};
    expect(await problemsOf(ask(grace, { provider: 'imap' }))).toEqual({ provider: 'invalid' });
    expect(await problemsOf(create(grace, {}))).toEqual({
      ...{ authorization_code: 'required', state: 'required' },
    });
    const claims = { email_address: 'boss@acme.example', ...own.servers() };
    expect(await problemsOf(create(grace, { ...rest, ...claims }))).toEqual({
      ...{ email_address: 'not_allowed', imap: 'not_allowed', smtp: 'not_allowed' },
    });
    expect(await problemsOf(connectMailbox(grace, 'x@acme.example', { ...own.servers(), ...rest }))).toEqual({
      ...{ authorization_code: 'not_allowed', state: 'not_allowed' },
    });
  });

  it.each([`${REDIRECT}/`, 'https://evil.example/', 'javascript:alert(1)'])(
    '400: a redirect address that is not allowed: %s',
    async (redirect_url) => {
      expect(await problemsOf(ask(workspace.grace, { redirect_url }))).toEqual({ redirect_url: 'invalid' });
    },
  );

  it('404, 403 and 400: mailboxes that are not the caller’s, or not of the provider; not by keys', async () => {
    const { ada, grace, hank } = workspace;
    const mailbox_id = (await connected(grace, given())).id;
    await shareMailbox(grace, mailbox_id, ada, 'edit');
    expect(await codeOf(ask(ada, { mailbox_id }))).toBe('403 permission_denied');
    expect(await codeOf(ask(hank, { mailbox_id }))).toBe('404 record_not_found');
    expect(await problemsOf(ask(grace, { mailbox_id, provider: 'outlook' }))).toEqual({
      mailbox_id: 'invalid',
    });
    const body = { authorization: { provider: 'gmail' as const, redirect_url: REDIRECT } };
    expect(await codeOf(grace.api.createMailboxAuthorization({ body }))).toMatch(/^40[13] /);
  });

  describe('PATCH /mailboxes/{id}/credentials', () => {
    longIt('200: a consent to the same mailbox unlocks it, and keeps everything', async () => {
      const { grace } = workspace;
      const address = given();
      const { id } = await connected(grace, address);
      const before = await stored({ id });
      const lock = { code: 'consent_revoked', message: 'x', locked_at: new Date().toISOString() };
      await workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, id), {
        set: { status: 'locked', lock },
      });
      const { mailbox } = (await renew(grace, id, await brought(grace, address, { mailbox_id: id }))).body;
      expect(mailbox).toMatchObject({ id, status: 'importing', lock: null, email_address: address });
      expect((await grace.reader.retrieveMailbox({ params: { id } })).body.mailbox).toEqual(mailbox);
      expect(tokensIn(await stored({ id }))).not.toEqual(tokensIn(before));
    });

    it('400: a consent to another mailbox changes nothing', async () => {
      const { grace } = workspace;
      const { id } = await connected(grace, given());
      const before = await stored({ id });
      const sent = await brought(grace, given(), { mailbox_id: id });
      expect(await problemsOf(renew(grace, id, sent))).toEqual({ authorization_code: 'invalid' });
      expect(await stored({ id })).toEqual(before);
    });

    longIt('400: passwords for a consent, and a consent for passwords', async () => {
      const { grace } = workspace;
      const { id } = await connected(grace, given());
      const { imap, smtp } = own.servers();
      expect(await problemsOf(renew(grace, id, { imap }))).toEqual({ imap: 'invalid' });
      expect(await problemsOf(renew(grace, id, { smtp: null }))).toEqual({ smtp: 'invalid' });
      const sent = { authorization_code: 'x', state: 'x' };
      expect(await problemsOf(renew(grace, id, { ...sent, imap, smtp }))).toEqual({
        authorization_code: 'invalid',
      });
      expect(await problemsOf(renew(grace, id, { state: 'x' }))).toEqual({ authorization_code: 'required' });
      const { mailbox } = (await connectMailbox(grace, 'plain@acme.example', own.servers())).body;
      expect(await problemsOf(renew(grace, mailbox.id, sent))).toEqual({ authorization_code: 'invalid' });
    });
  });

  describe('DELETE /mailboxes/{id}', () => {
    it('204: the provider is told, and it does not matter when it is away', async () => {
      const { grace } = workspace;
      const address = given();
      const { id } = await connected(grace, address);
      expect(provider.imap.users.get(address)?.tokens.size).toBe(1);
      await grace.session.deleteMailbox({ params: { id } });
      expect(provider.imap.users.get(address)?.tokens.size).toBe(0);
      const other = await connected(grace, given());
      provider.instead = (path) => (path === '/revoke' ? { status: 500, body: '' } : undefined);
      expect((await grace.session.deleteMailbox({ params: { id: other.id } })).status).toBe(204);
    });
  });
});
