import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { givenAccount } from '../../../support/accounts.ts';
import { givenCalendar, givenEvent } from '../../../support/events.ts';
import { codeOf } from '../../../support/failures.ts';
import { type ForgedIssuer, startForgedIssuer } from '../../../support/forged-issuer.ts';
import {
  broughtBy,
  enter,
  expectOneHolder,
  invite,
  setStatus,
  storedOfAddress,
} from '../../../support/invitations.ts';
import { longIt } from '../../../support/long.ts';
import { givenCode, newAddress } from '../../../support/one-time-codes.ts';
import { REDIRECT } from '../../../support/openid-provider.ts';
import { mailsTo, sendOpenMail } from '../../../support/outgoing-mail.ts';
import { countRoundTrips } from '../../../support/round-trips.ts';
import { givenRequest, signUp } from '../../../support/sign-up.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** An address belongs to whoever proved it (docs/decisions/0089-invitations-and-addresses.md). */
describe('invitations to an address', () => {
  let workspace: Workspace;
  let forged: ForgedIssuer;
  let team: TestUser;
  let stranger: TestUser;
  let address: string;
  beforeAll(async () => {
    [workspace, forged] = await Promise.all([startWorkspace(), startForgedIssuer()]);
    workspace.ctx.config.openid = { clients: { google: forged.client }, redirect_urls: [REDIRECT] };
  });
  afterAll(() => Promise.all([workspace.stop(), forged.stop()]));
  beforeEach(async () => {
    address = newAddress();
    [team, stranger] = (await Promise.all([given(), given()])) as [TestUser, TestUser];
  });
  afterEach(async () => {
    workspace.ctx.config.sign_up = 'open';
    await expectOneHolder(workspace, address, [team.user.account_id, stranger.user.account_id]);
  });

  const given = async () => (await givenAccount(workspace, 1))[0] as TestUser;
  const close = ({ session, user }: TestUser) => session.closeAccount({ params: { id: user.account_id } });
  const statusOf = async ({ reader }: TestUser, id: string) =>
    (await reader.retrieveUser({ params: { id } })).body.user.status;
  const join = async () => signUp(workspace, await givenRequest(workspace, address));
  const byProvider = async (account_id?: string) => {
    const sent = await broughtBy(workspace, forged, address);
    const session = { ...sent, ...(account_id ? { account_id } : {}) };
    return (await workspace.client().createSession({ body: { session } })).body.session;
  };
  const refused = (call: Promise<unknown>) => codeOf(call as Promise<{ status: number }>);

  it('of strangers keep nobody from signing up, nor from being invited by a team, whatever becomes of them', async () => {
    const { id } = await invite(stranger, address);
    const { id: own } = await invite(team, address.toUpperCase());
    await setStatus(stranger, id, 'deactivated');
    await setStatus(stranger, id, 'active');
    expect(await statusOf(team, own)).toBe('invited');
    const { account, session } = (await join()).body;
    expect(session.account_id).toBe(account.id);
    expect(await statusOf(team, own)).toBe('invited');
    for (const by of [team, stranger])
      expect(await refused(invite(by, address))).toBe('409 email_address_in_use');
    await setStatus(stranger, id, 'deactivated');
    expect(await refused(setStatus(stranger, id, 'active'))).toBe('409 email_address_in_use');
    expect((await enter(workspace, address)).user_id).toBe(session.user_id);
  });

  it('that are withdrawn, in either way, hold nothing', async () => {
    const first = await invite(stranger, address);
    await stranger.session.deleteUser({ params: { id: first.id } });
    const second = await invite(stranger, address);
    await setStatus(stranger, second.id, 'deactivated');
    expect(await refused(enter(workspace, address))).toBe('401 invalid_credentials');
    expect((await storedOfAddress(workspace, address)).login).toBeUndefined();
    await setStatus(stranger, first.id, 'active');
    expect(await refused(setStatus(stranger, second.id, 'active'))).toBe('409 email_address_in_use');
    expect((await enter(workspace, address)).user_id).toBe(first.id);
    expect(await refused(setStatus(stranger, second.id, 'active'))).toBe('409 email_address_in_use');
    await stranger.session.deleteUser({ params: { id: second.id } });
    expect(await refused(join())).toBe('409 email_address_in_use');
  });

  it('are accepted by signing in: the oldest, or that of the account which is named', async () => {
    const { id } = await invite(team, address);
    const { id: other } = await invite(stranger, address);
    expect((await enter(workspace, address, stranger.user.account_id)).user_id).toBe(other);
    expect([await statusOf(team, id), await statusOf(stranger, other)]).toEqual(['invited', 'active']);
    // A person is a user of one account.
    expect(await refused(enter(workspace, address, team.user.account_id))).toBe('403 invitation_required');
    expect((await enter(workspace, address, stranger.user.account_id)).user_id).toBe(other);
    expect((await enter(workspace, address)).user_id).toBe(other);
    address = newAddress();
    const older = await invite(team, address);
    await invite(stranger, address);
    expect((await enter(workspace, address)).user_id).toBe(older.id);
  });

  it('are accepted by a provider as well', async () => {
    const { id } = await invite(team, address);
    const { id: other } = await invite(stranger, address);
    const elsewhere = workspace.account_id;
    expect(await refused(byProvider(elsewhere))).toBe('403 invitation_required');
    expect((await byProvider(stranger.user.account_id)).user_id).toBe(other);
    expect(await refused(byProvider(team.user.account_id))).toBe('403 invitation_required');
    expect((await byProvider(stranger.user.account_id)).user_id).toBe(other);
    expect((await byProvider()).user_id).toBe(other);
    expect(await statusOf(team, id)).toBe('invited');
  });

  it.each(['open', 'invitation', 'closed'] as const)(
    '403 for an account without one, signing up is %s, and the code stays',
    async (mode) => {
      workspace.ctx.config.sign_up = mode;
      const { id } = await invite(team, address);
      const one_time_code = await givenCode(workspace, address);
      const by = (account_id: string) =>
        workspace.client().createSession({
          body: { session: { email_address: address, one_time_code, account_id } },
        });
      for (const account_id of [stranger.user.account_id, crypto.randomUUID()])
        expect(await codeOf(by(account_id))).toBe('403 invitation_required');
      expect((await by(team.user.account_id)).body.session.user_id).toBe(id);
    },
  );

  it('of closed accounts are accepted by nobody, and one of another account is', async () => {
    await invite(stranger, address);
    const { id } = await invite(team, address);
    await close(stranger);
    expect(await refused(enter(workspace, address, stranger.user.account_id))).toBe(
      '403 invitation_required',
    );
    expect((await enter(workspace, address)).user_id).toBe(id);
  });

  it('are accepted again when the account closes whose user had the address', async () => {
    const { id } = await invite(team, address);
    const { account, session } = (await join()).body;
    const owner = workspace.client(session.access_token as string);
    expect(await refused(enter(workspace, address, team.user.account_id))).toBe('403 invitation_required');
    await owner.closeAccount({ params: { id: account.id } });
    expect((await enter(workspace, address)).user_id).toBe(id);
  });

  longIt('of many strangers: signing in reads no more than for a few, and a named one is found', async () => {
    const cost = async (email_address: string, account_id?: string) => {
      const one_time_code = await givenCode(workspace, email_address);
      const session = { email_address, one_time_code, ...(account_id ? { account_id } : {}) };
      const api = workspace.client();
      return countRoundTrips(workspace.table, () => api.createSession({ body: { session } }));
    };
    const strangers = await givenStrangers(30);
    for (const each of strangers) await invite(each, address);
    const latest = await given();
    const { id } = await invite(latest, address);
    const few = newAddress();
    await invite(stranger, few);
    const [one, many] = [await cost(few), await cost(address, latest.user.account_id)];
    expect([many.calls.length, many.depth]).toEqual([one.calls.length, one.depth]);
    expect(await statusOf(latest, id)).toBe('active');
    const another = newAddress();
    for (const each of strangers) await invite(each, another);
    expect((await cost(another)).calls).toEqual(one.calls);
    expect((await invite(latest, newAddress())).status).toBe('invited');
    // Whom the strangers invited is asked no more.
    address = newAddress();
  });
  const givenStrangers = async (count: number) => {
    const found: TestUser[] = [];
    while (found.length < count) found.push(await given());
    return found;
  };

  it('that are withdrawn are nobody: an event names who has joined', async () => {
    const first = await invite(team, address);
    await setStatus(team, first.id, 'deactivated');
    const second = await invite(team, address);
    await setStatus(team, second.id, 'deactivated');
    await setStatus(team, first.id, 'active');
    await enter(workspace, address);
    const { calendar_id } = await givenCalendar(workspace, team);
    const { attendees } = await givenEvent(team, calendar_id, { attendees: [{ email_address: address }] });
    expect(attendees.find(({ email_address }) => email_address === address)?.user_id).toBe(first.id);
  });

  it('tell a stranger nothing: of codes, errors and answers', async () => {
    await invite(team, address);
    const other = newAddress();
    const answers = await Promise.all(
      [address, other].map(async (email_address) => {
        const asked = await workspace.client().createOneTimeCode({ body: { email_address } });
        const session = { email_address, one_time_code: '000000', account_id: team.user.account_id };
        const wrong = await codeOf(workspace.client().createSession({ body: { session } }));
        const account = { name: 'A', email_address, one_time_code: '000000' };
        const opened = await codeOf(workspace.client().createAccount({ body: { account } }));
        return [asked.status, asked.body, wrong, opened];
      }),
    );
    expect(answers[0]).toEqual([200, { ok: 'ok' }, '401 invalid_credentials', '401 invalid_credentials']);
    expect(answers[1]).toEqual(answers[0]);
  });

  it('bring a code where nobody signs up, and a withdrawn one does not', async () => {
    workspace.ctx.config.sign_up = 'closed';
    const { id } = await invite(team, address);
    await sendOpenMail(workspace);
    const ask = async () => {
      await workspace.client().createOneTimeCode({ body: { email_address: address } });
      await sendOpenMail(workspace);
      return (await mailsTo(workspace, address)).length;
    };
    expect(await ask()).toBe(2);
    await setStatus(team, id, 'deactivated');
    expect(await ask()).toBe(2);
  });

  it('of an owner count as one once accepted, whoever invites elsewhere', async () => {
    await invite(stranger, address, 'owner');
    const { id } = await invite(team, address, 'owner');
    const leave = (by: TestUser) => setStatus(by, by.user.id, 'deactivated');
    expect(await codeOf(leave(team))).toBe('422 last_owner');
    await enter(workspace, address, team.user.account_id);
    expect(await codeOf(leave(stranger))).toBe('422 last_owner');
    expect((await leave(team)).status).toBe(200);
    const { account } = (
      await workspace
        .client((await enter(workspace, address)).access_token as string)
        .retrieveAccount({ params: { id: team.user.account_id } })
    ).body;
    expect(account.owner_user_id).toBe(id);
  });
});
