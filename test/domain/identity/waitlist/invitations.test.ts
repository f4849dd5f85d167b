import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { openAccount } from '#shared/domain/identity/accounts/open.ts';
import { acceptInvitation, findInvitation } from '#shared/domain/identity/waitlist/accept.ts';
import { inviteToSignUp } from '#shared/domain/identity/waitlist/invite.ts';
import { addToWaitlist, listWaitlist } from '#shared/domain/identity/waitlist/store.ts';
import { keys } from '#shared/table/keys.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

describe('signup tokens', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());

  const now = new Date('2031-05-01T10:00:00Z');
  const days = (count: number) => new Date(now.getTime() + count * 24 * 3_600_000);
  const invite = async (address: string) =>
    (await inviteToSignUp(workspace.table, address, now))?.token ?? '';
  const find = (signup_token: string, email_address: string, at = now) =>
    findInvitation(workspace.table, { signup_token, email_address }, at);
  const accountOf = async (email_address: string) => {
    const owner = { name: 'Ada', email_address, time_zone: 'Etc/UTC', week_starts_on: 'monday' as const };
    return (await openAccount(workspace.table, { name: 'Acme', owner }, now)).account;
  };
  const refused = () => new Error('refused');
  const statusOf = async (address: string) =>
    (await listWaitlist(workspace.table)).find(({ email_address }) => email_address === address)?.status;

  it('are of one address, for 14 days, and only their hash is stored', async () => {
    const address = 'ada@invited.example';
    await addToWaitlist(workspace.table, { email_address: address, name: 'Ada' }, now);
    const token = await invite(address);
    expect(token).toMatch(/^wsk_signup_[\w-]{32}$/);
    const found = await find(token, address, days(13.9));
    expect(found?.email_address).toBe(address);
    expect(JSON.stringify(found)).not.toContain(token);
    expect(await find(token, address, days(14))).toBeUndefined();
    expect(await find(token, 'grace@invited.example')).toBeUndefined();
    expect(await find(`${token.slice(0, -1)}_`, address)).toBeUndefined();
    expect(await statusOf(address)).toBe('invited');
  });

  it('a further one replaces the first, and several at once leave one', async () => {
    const address = 'twice@invited.example';
    const first = await invite(address);
    const more = await Promise.all([invite(address), invite(address), invite(address)]);
    expect(await find(first, address)).toBeUndefined();
    const living = await Promise.all(more.map((token) => find(token, address)));
    expect(living.filter((each) => each !== undefined)).toHaveLength(1);
  });

  it('work once, also for two at once; who joined is invited no more', async () => {
    const address = 'once@invited.example';
    const token = await invite(address);
    const found = await find(token, address);
    if (!found) return expect.fail('there is no invitation');
    const both = await Promise.allSettled(
      [1, 2].map(() => workspace.table.transact(acceptInvitation(found, refused))),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await find(token, address)).toBeUndefined();
    expect(await statusOf(address)).toBe('joined');
    await accountOf(address);
    expect(await inviteToSignUp(workspace.table, address, now)).toBeUndefined();
    await addToWaitlist(workspace.table, { email_address: address }, now);
    expect(await statusOf(address)).toBe('joined');
  });

  it('are of use again to whoever joined, once the account is closed', async () => {
    const address = 'again@invited.example';
    const found = await find(await invite(address), address);
    if (!found) return expect.fail('there is no invitation');
    await workspace.table.transact(acceptInvitation(found, refused));
    const { id } = await accountOf(address);
    await workspace.table.update<Account>(keys.account(id), { set: { status: 'closed' } });
    const again = await find(await invite(address), address);
    expect(again?.email_address).toBe(address);
    expect(await statusOf(address)).toBe('invited');
  });
});
