import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Counters, counterName, HOURLY_SLOT, slotOf } from '#shared/domain/platform/rates/rate.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { connectMailbox, type OwnServers, startOwnServers } from '../../support/connected.ts';
import { givenMailbox } from '../../support/mail.ts';
import { REDIRECT, startMailProvider, type TestMailProvider } from '../../support/mail-provider.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('attempts to connect servers', () => {
  let workspace: Workspace;
  let own: OwnServers;
  let provider: TestMailProvider;
  const NOW = Date.parse('2026-11-20T09:30:00Z');

  beforeAll(async () => {
    workspace = await startWorkspace();
    own = await startOwnServers(workspace);
    provider = await startMailProvider(workspace);
  });
  afterAll(async () => {
    await provider.stop();
    await own.stop();
    await workspace.stop();
  });

  /** They were made already. */
  const attempts = async (subject: string, made: number, now = NOW) => {
    const slot = slotOf(new Date(now), HOURLY_SLOT);
    const key = keys.hourlyRate('SERVERS', subject, Math.floor(slot / 1_200));
    await workspace.table.update<Item & Counters>(key, { add: { [counterName(slot)]: made } });
  };
  const LIMITED = { status: 429, code: 'rate_limited' };
  let count = 0;
  const connect = (user: TestUser) => connectMailbox(user, `limit${count++}@acme.example`, own.servers());
  const change = (user: TestUser, id: string, mailbox: object) =>
    user.session.updateMailboxCredentials({ params: { id }, body: { mailbox } as never });

  it('429: 30 an hour for a user, whatever the server, and nothing is connected', async () => {
    workspace.setTime(new Date(NOW));
    const { ada, grace } = workspace;
    const { mailbox } = (await connect(ada)).body;
    await attempts(ada.user.id, 29);
    const before = own.imap.heard.length;
    const failure = await connect(ada).catch((error: unknown) => error);
    expect(failure).toMatchObject(LIMITED);
    expect(Number((failure as { headers: Headers }).headers.get('retry-after'))).toBeGreaterThan(1_000);
    const { imap } = own.servers();
    await expect(change(ada, mailbox.id, { imap })).rejects.toMatchObject(LIMITED);
    const caldav = { url: 'https://127.0.0.1:1/', username: 'ada', password: 'guess' };
    const calendars = await givenMailbox(workspace, ada);
    await expect(change(ada, calendars, { caldav })).rejects.toMatchObject(LIMITED);
    expect(own.imap.heard.length).toBe(before);
    expect((await connect(grace)).status).toBe(201);
    workspace.setTime(new Date(NOW + 3_900_000));
    expect((await connect(ada)).status).toBe(201);
  });

  it('429: 300 an hour for all users of an account; what a body lacks counts for none', async () => {
    workspace.setTime(new Date(NOW));
    const { linus, account_id } = workspace;
    for (let i = 0; i < 3; i++)
      await expect(change(linus, await givenMailbox(workspace, linus), {})).rejects.toMatchObject({
        status: 400,
      });
    expect((await connect(linus)).status).toBe(201);
    await attempts(account_id, 300);
    await expect(connect(linus)).rejects.toMatchObject(LIMITED);
  });

  it('429: a code of a provider counts as well, and none is asked about', async () => {
    const now = NOW + 7_800_000;
    workspace.setTime(new Date(now));
    const { hank } = workspace;
    provider.person('hank@gmail.example');
    const authorization = { provider: 'gmail', redirect_url: REDIRECT } as const;
    const begun = await hank.session.createMailboxAuthorization({ body: { authorization } });
    const brought = await provider.consent(begun.body.authorization.url, 'hank@gmail.example');
    const bring = (state: string) =>
      hank.session.createMailbox({ body: { mailbox: { provider: 'gmail', ...brought, state } } });
    await attempts(hank.user.id, 29, now);
    await expect(bring('of-nobody')).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
    await expect(bring(brought.state)).rejects.toMatchObject(LIMITED);
    expect(provider.asked).not.toContain('/token authorization_code');
    await attempts(hank.user.id, -2, now);
    expect((await bring(brought.state)).status).toBe(201);
  });
});
