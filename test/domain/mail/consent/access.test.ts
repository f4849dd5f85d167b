import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailServer } from '#shared/composition/mail-server.ts';
import { accessTokenOf } from '#shared/domain/mail/consent/access.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { openTokens } from '#shared/domain/mail/servers/login.ts';
import { keys } from '#shared/table/keys.ts';
import { longIt } from '../../../support/long.ts';
import { eml } from '../../../support/mail.ts';
import { REDIRECT, startMailProvider, type TestMailProvider } from '../../../support/mail-provider.ts';
import { mailboxOf, readMailbox, subjectsIn } from '../../../support/mail-sync.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** docs/specification/mail.md, "Mailboxes at Gmail and Outlook". */
describe('access tokens of a mailbox', () => {
  let workspace: Workspace;
  let provider: TestMailProvider;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    provider = await startMailProvider(workspace);
  });
  beforeEach(() => {
    workspace.setTime(undefined);
    provider.instead = () => undefined;
    provider.refreshing = async () => undefined;
    Object.assign(provider, { seconds: 3_600, rotates: true });
    provider.asked.length = 0;
  });
  afterAll(async () => {
    await provider.stop();
    await workspace.stop();
  });

  let count = 0;
  const brought = async (user: TestUser, address: string, mailbox_id?: string) => {
    const asked = { provider: 'gmail' as const, redirect_url: REDIRECT, mailbox_id };
    const { body } = await user.session.createMailboxAuthorization({ body: { authorization: asked } });
    return provider.consent(body.authorization.url, address);
  };
  const given = async () => {
    const { grace } = workspace;
    const address = `person${count++}@gmail.example`;
    provider.person(address);
    const mailbox = { provider: 'gmail' as const, ...(await brought(grace, address)) };
    const { id } = (await grace.session.createMailbox({ body: { mailbox } })).body.mailbox;
    provider.asked.length = 0;
    return { id, address };
  };
  const later = (minutes: number) => workspace.setTime(new Date(Date.now() + minutes * 60_000));
  const read = (id: string) => readMailbox(workspace, workspace.grace, id);
  const stored = (id: string) => mailboxOf(workspace, workspace.grace, id);
  const tokensOf = async (id: string) => {
    const { oauth } = (await stored(id)).mail_server as NonNullable<Mailbox['mail_server']>;
    return oauth && openTokens(workspace.ctx.config, id, oauth);
  };
  const ctx = () => ({ ...workspace.ctx, ports: mailServer });
  const refreshes = () => provider.asked.filter((path) => path === '/token refresh_token').length;
  const shown = async (id: string) =>
    (await workspace.grace.reader.retrieveMailbox({ params: { id } })).body.mailbox;

  longIt('reads with the token that it has', async () => {
    const { id, address } = await given();
    provider.imap.users.get(address)?.add('INBOX', eml({ id: `${id}@x`, subject: 'Noon' }));
    await read(id);
    expect(await subjectsIn(workspace.grace, id)).toEqual(['Noon']);
    expect(refreshes()).toBe(0);
    expect(await shown(id)).toMatchObject({ status: 'active', sync: { last_error: null } });
  });

  it('refreshes a token five minutes before it expires, with the refresh token of the last time', async () => {
    const { id } = await given();
    const first = await tokensOf(id);
    for (const [minutes, times] of [
      [54, 0],
      [56, 1],
      [112, 2],
    ] as const) {
      later(minutes);
      expect(await accessTokenOf(ctx(), await stored(id))).toBe((await tokensOf(id))?.access_token);
      expect(refreshes()).toBe(times);
    }
    const last = await tokensOf(id);
    expect(last?.access_token).not.toBe(first?.access_token);
    expect(last?.refresh_token).not.toBe(first?.refresh_token);
  });

  it('keeps a refresh token that the provider does not change', async () => {
    const { id } = await given();
    provider.rotates = false;
    const first = await tokensOf(id);
    later(60);
    await accessTokenOf(ctx(), await stored(id));
    expect((await tokensOf(id))?.refresh_token).toBe(first?.refresh_token);
  });

  it('of ten workers at once, one refreshes, and all have its token', async () => {
    const { id } = await given();
    later(60);
    const read_before = await stored(id);
    const tokens = await Promise.all(Array.from({ length: 10 }, () => accessTokenOf(ctx(), read_before)));
    expect(new Set(tokens).size).toBe(1);
    expect(refreshes()).toBe(1);
    expect((await tokensOf(id))?.access_token).toBe(tokens[0]);
    expect((await stored(id)).mail_server?.oauth).not.toHaveProperty('held_until');
  });

  it('a worker that was killed while it refreshed holds the tokens for half a minute', async () => {
    const { id } = await given();
    later(60);
    const mailbox = await stored(id);
    const oauth = { ...mailbox.mail_server?.oauth, held_until: Date.now() + 60 * 60_000 + 30_000 };
    const mail_server = { ...mailbox.mail_server, oauth } as Mailbox['mail_server'];
    await workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, id), { set: { mail_server } });
    workspace.setTime(new Date(Date.now() + 60 * 60_000 + 31_000));
    expect(await accessTokenOf(ctx(), await stored(id))).toMatch(/^access-/);
    expect(refreshes()).toBe(1);
  });

  longIt('a token that was ended is refreshed once, and what is read goes on', async () => {
    const { id, address } = await given();
    provider.endTokens(address);
    expect((await read(id)).mail_state).toMatchObject({ last_error: null, refusals: 0 });
    expect(refreshes()).toBe(1);
  });

  longIt(
    'a consent that ended counts as a refused login: three in a row lock, and a new one unlocks',
    async () => {
      const { grace } = workspace;
      const { id, address } = await given();
      provider.endConsent(address);
      for (const [minutes, status] of [
        [60, 'connecting'],
        [70, 'connecting'],
        [80, 'locked'],
      ] as const) {
        later(minutes);
        await read(id);
        expect(await shown(id)).toMatchObject({ status, sync: { last_error: { code: 'consent_revoked' } } });
      }
      expect((await shown(id)).lock).toMatchObject({ code: 'consent_revoked' });
      const asked = provider.asked.length;
      later(200);
      await read(id);
      expect(provider.asked).toHaveLength(asked);
      const mailbox = await brought(grace, address, id);
      await grace.session.updateMailboxCredentials({ params: { id }, body: { mailbox } });
      await read(id);
      expect(await shown(id)).toMatchObject({ status: 'active', lock: null, sync: { last_error: null } });
    },
  );

  longIt.each<[string, ReturnType<TestMailProvider['instead']>, string]>([
    ['does not respond', 'drop', 'connection_failed'],
    ['has a fault', { status: 500, body: { error: 'invalid_grant' } }, 'provider_rate_limited'],
    ['asks to wait', { status: 429, body: { error: 'invalid_grant' } }, 'provider_rate_limited'],
    ['does not know the service', { status: 401, body: { error: 'invalid_client' } }, 'provider_failed'],
    ['answers no JSON', { status: 200, body: 'secret words' }, 'provider_failed'],
    ['answers no token', { status: 200, body: {} }, 'provider_failed'],
    ['is gone', { status: 404, body: 'secret words' }, 'provider_failed'],
  ])('a provider that %s never locks', async (_, answer, code) => {
    const { id } = await given();
    const before = await tokensOf(id);
    provider.instead = (path) => (path.startsWith('/token') ? answer : undefined);
    for (let round = 1; round <= 4; round++) {
      later(100 * round);
      expect((await read(id)).mail_state).toMatchObject({ refusals: 0, last_error: { code } });
    }
    expect(await tokensOf(id)).toEqual(before);
    expect((await shown(id)).lock).toBeNull();
    provider.instead = () => undefined;
    later(600);
    await read(id);
    expect(await shown(id)).toMatchObject({ status: 'active', sync: { last_error: null } });
  });

  longIt('a client of the provider that the operator removed locks nobody', async () => {
    const { id } = await given();
    const { mail_providers } = workspace.ctx.config;
    workspace.ctx.config.mail_providers = {};
    later(60);
    await read(id);
    workspace.ctx.config.mail_providers = mail_providers;
    expect((await stored(id)).mail_state).toMatchObject({
      refusals: 0,
      last_error: { code: 'provider_failed' },
    });
  });

  it('a consent that is given while an old token is refreshed stays', async () => {
    const { grace } = workspace;
    const { id, address } = await given();
    later(60);
    const mailbox = await stored(id);
    const sent = await brought(grace, address, id);
    provider.refreshing = async () => {
      provider.refreshing = async () => undefined;
      await grace.session.updateMailboxCredentials({ params: { id }, body: { mailbox: sent } });
    };
    const token = await accessTokenOf(ctx(), mailbox);
    expect(token).toBe((await tokensOf(id))?.access_token);
    expect(refreshes()).toBe(1);
  });

  it('nobody lets the service into a mailbox that is gone', async () => {
    const { id } = await given();
    later(60);
    const mailbox = await stored(id);
    await workspace.grace.session.deleteMailbox({ params: { id } });
    await expect(accessTokenOf(ctx(), mailbox)).rejects.toMatchObject({ name: 'LoginRefused' });
    expect(refreshes()).toBe(0);
  });
});
