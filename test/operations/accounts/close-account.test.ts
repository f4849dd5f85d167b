import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { eraseMoment, listClosed } from '#shared/domain/identity/accounts/closed.ts';
import type { AuditEvent } from '#shared/domain/identity/audit/event.ts';
import { addUser } from '#shared/domain/identity/users/add.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { givenPayingAccount, givenStripe, runBilling } from '../../support/billing.ts';
import { codeOf } from '../../support/failures.ts';
import { failNth, loseResponse, meanwhile, refuse } from '../../support/faults.ts';
import { openJobs } from '../../support/jobs.ts';
import { long, longIt } from '../../support/long.ts';
import { givenCode, newAddress } from '../../support/one-time-codes.ts';
import { givenSession } from '../../support/sessions.ts';
import type { StripeServer } from '../../support/stripe-server.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const TRANSACTION = 'TransactWriteItemsCommand';
const UUID = '0198c0de-0000-7000-8000-00000000abcd';

describe('DELETE /accounts/{id}', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let member: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());
  beforeEach(async () => {
    [owner, member] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
  });
  afterEach(() => {
    workspace.ctx.config.sign_up = 'open';
  });

  const close = ({ session }: TestUser = owner, id = owner.user.account_id, headers = {}) =>
    session.closeAccount({ params: { id }, headers });
  const stored = async () =>
    (await workspace.table.get<Account>(keys.account(owner.user.account_id))) as Account;
  const setUser = ({ user }: TestUser, set: Partial<User>) =>
    workspace.table.update<User>(keys.user(user.account_id, user.id), { set });
  const waiting = async () =>
    (await listClosed(workspace.table)).filter(({ account_id }) => account_id === owner.user.account_id);

  it('204: no key and no session of anybody is served from the next request on', async () => {
    const { tokens } = await givenSession(workspace, owner);
    expect((await close()).status).toBe(204);
    for (const { api, reader, session } of [owner, member])
      for (const client of [api, reader, session])
        expect(await codeOf(client.retrieveCurrentUser())).toBe('401 unauthorized');
    const body = { refresh_token: tokens.refresh_token };
    expect(await codeOf(workspace.client().createAccessToken({ body }))).toBe('401 token_revoked');
    expect(await codeOf(owner.session.throttleCheck())).toBe('401 invalid_credentials');
    expect(await codeOf(close())).toBe('401 unauthorized');
    expect((await workspace.hank.reader.retrieveCurrentUser()).status).toBe(200);
  });

  it('is kept, and waits for the first midnight after 30 days', async () => {
    await close();
    const { status, closed_at = '', erasing } = await stored();
    expect([status, erasing]).toEqual(['closed', undefined]);
    const [{ erase_at, ...rest }] = (await waiting()) as [Awaited<ReturnType<typeof waiting>>[0] & object];
    expect(rest).toMatchObject({ account_id: owner.user.account_id, closed_at });
    expect(erase_at).toBe(eraseMoment(closed_at));
    expect(new Date(erase_at).toISOString()).toMatch(/T00:00:00.000Z$/);
    expect((erase_at - Date.parse(closed_at)) / 86_400_000).toBeGreaterThanOrEqual(30);
    expect((erase_at - Date.parse(closed_at)) / 86_400_000).toBeLessThanOrEqual(31);
    const events = await workspace.table.all<AuditEvent>(keys.auditEvent(owner.user.account_id, '').PK);
    expect(events.at(-1)).toMatchObject({
      action: 'account_closed',
      user_id: owner.user.id,
      subject: { type: 'account', id: owner.user.account_id, name: 'Initech' },
    });
  });

  it('only by owners, in a session, and only the own account', async () => {
    expect(await codeOf(close(member))).toBe('403 permission_denied');
    await setUser(member, { role: 'admin' });
    expect(await codeOf(close(member))).toBe('403 permission_denied');
    for (const id of [UUID, workspace.account_id, 'none'])
      expect(await codeOf(close(owner, id))).toBe('404 record_not_found');
    const params = { id: owner.user.account_id };
    expect(await codeOf(owner.api.closeAccount({ params }))).toBe('403 api_key_insufficient');
    expect(await codeOf(workspace.client().closeAccount({ params }))).toBe('401 unauthorized');
    expect([(await stored()).status, await waiting()]).toEqual(['active', []]);
  });

  it('412: not another version than was read', async () => {
    const { headers } = await owner.session.retrieveAccount({ params: { id: owner.user.account_id } });
    await owner.session.updateAccount({
      params: { id: owner.user.account_id },
      body: { account: { name: 'Renamed' } },
    });
    const stale = { 'If-Match': headers.get('etag') ?? '' };
    expect(await codeOf(close(owner, undefined, stale))).toBe('412 precondition_failed');
    expect((await close(owner, undefined, { 'If-Match': '*' })).status).toBe(204);
  });

  it('two owners at once: it is closed once', async () => {
    await setUser(member, { role: 'owner' });
    const codes = await Promise.all(
      [owner, member, owner, member].map((by) =>
        close(by).then(
          ({ status }) => `${status}`,
          ({ status }) => `${status}`,
        ),
      ),
    );
    expect(codes.filter((code) => code === '204')).toHaveLength(1);
    expect(codes.filter((code) => code === '401')).toHaveLength(3);
    expect(await waiting()).toHaveLength(1);
  });

  it('403: an owner who is made a member meanwhile closes nothing', async () => {
    const demote = () => setUser(owner, { role: 'member' });
    const fault = meanwhile(workspace.table, TRANSACTION, demote);
    expect(await codeOf(close())).toBe('403 permission_denied');
    fault.remove();
    expect((await stored()).status).toBe('active');
  });

  it('502 could_not_mark_as_closed: nothing has changed, and a lost response is no failure', async () => {
    const refused = refuse(workspace.table, TRANSACTION, { type: 'ValidationException' });
    expect(await codeOf(close())).toBe('502 could_not_mark_as_closed');
    refused.remove();
    expect([(await stored()).status, await waiting()]).toEqual(['active', []]);
    const lost = loseResponse(workspace.table, TRANSACTION);
    expect((await close()).status).toBe(204);
    lost.remove();
    expect(await waiting()).toHaveLength(1);
  });

  describe('people of a closed account', () => {
    const person = (email_address: string) => ({
      ...{ name: 'Ada', email_address, role: 'member' as const },
      ...{ time_zone: 'UTC', week_starts_on: 'monday' as const },
    });
    const signIn = async (email_address: string) => {
      const one_time_code = await givenCode(workspace, email_address);
      return workspace.client().createSession({ body: { session: { email_address, one_time_code } } });
    };

    it('may have their address in another account at once', async () => {
      const address = newAddress();
      await addUser(workspace.table, owner.user.account_id, person(address), new Date());
      const { session } = workspace.hank;
      const invite = () => session.createUser({ body: { user: { email_address: address } } });
      expect(await codeOf(invite())).toBe('409 email_address_in_use');
      await close();
      expect((await invite()).status).toBe(201);
      const { session: opened } = (await signIn(address)).body;
      expect(opened.account_id).toBe(workspace.hank.user.account_id);
    });

    it.each(['active', 'invited'] as const)(
      'do not sign in, and accept no invitation: %s',
      async (status) => {
        const address = newAddress();
        const user = await addUser(workspace.table, owner.user.account_id, person(address), new Date());
        await workspace.table.update<User>(keys.user(user.account_id, user.id), { set: { status } });
        await close();
        expect(await codeOf(signIn(address))).toBe('401 invalid_credentials');
        workspace.ctx.config.sign_up = 'invitation';
        expect(await codeOf(signIn(address))).toBe('403 invitation_required');
      },
    );
  });

  describe('billing', () => {
    let stripe: StripeServer;
    beforeAll(async () => {
      stripe = await givenStripe(workspace);
    });
    afterAll(() => stripe.stop());
    const payingOwner = async () => {
      [owner, member] = (await givenPayingAccount(workspace, 2)) as [TestUser, TestUser];
      // Its opening is done.
      await runBilling(workspace, ({ account_id }) => account_id === owner.user.account_id);
    };
    beforeEach(payingOwner);
    afterEach(() => {
      stripe.troubles.length = 0;
    });

    const ended = () =>
      stripe.world.subscriptionsOf(owner.user.account_id).every(({ status }) => status === 'canceled');
    const isOwn = ({ account_id }: Record<string, unknown>) => account_id === owner.user.account_id;
    const jobs = async () =>
      (await openJobs(workspace.table, 'update-billing')).filter(({ body }) => isOwn(body));
    const run = () => runBilling(workspace, isOwn);
    const down = { on: 'GET /v1/subscriptions', status: 500, error: { type: 'api_error' } };

    it('502 billing_unavailable when it cannot be read: nothing has changed', async () => {
      const billing = { read: () => Promise.reject(new Error('No answer')) };
      Object.assign(workspace.ctx, { stand_ins: { billing } });
      expect(await codeOf(close())).toBe('502 billing_unavailable');
      Object.assign(workspace.ctx, { stand_ins: undefined });
      expect([(await stored()).status, await waiting(), await jobs()]).toEqual(['active', [], []]);
    });

    longIt(
      'ends after the closing, however often the provider fails, and nothing is erased before',
      async () => {
        expect((await close()).status).toBe(204);
        expect(await waiting()).toMatchObject([{ paying: true }]);
        stripe.troubles.push(down, down);
        await run();
        expect([ended(), (await jobs()).length]).toEqual([false, 1]);
        expect(await waiting()).toMatchObject([{ paying: true }]);
        stripe.troubles.length = 0;
        await run();
        expect([ended(), await jobs()]).toEqual([true, []]);
        expect((await waiting())[0]).not.toHaveProperty('paying');
      },
    );

    longIt(
      'no open account is cancelled, and no closed one goes on paying, whichever call fails',
      async () => {
        // All of them in the long tests.
        for (let nth = 0; ; nth += long ? 1 : 3) {
          await payingOwner();
          const fault = failNth(workspace.table, nth);
          const status = await close().then(
            (response) => response.status,
            (error) => error.status,
          );
          fault.remove();
          const closed = (await stored()).status === 'closed';
          expect([status === 204 || status >= 500, closed]).toEqual([true, closed || status === 204]);
          expect([(await waiting()).length, (await jobs()).length]).toEqual(closed ? [1, 1] : [0, 0]);
          await run();
          expect(ended()).toBe(closed);
          if (!fault.hit) break;
        }
      },
    );

    longIt('ends once the worker lives, whichever of its calls fails', async () => {
      for (let nth = 0, hit = true; hit; nth++) {
        await payingOwner();
        await close();
        const fault = failNth(workspace.table, nth);
        await run().catch(() => undefined);
        fault.remove();
        ({ hit } = fault);
        await run();
        expect([ended(), await jobs()]).toEqual([true, []]);
        expect((await waiting())[0]).not.toHaveProperty('paying');
      }
    });
  });
});
