import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Login } from '#shared/domain/identity/users/addresses.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { invitations } from '../../infra/migrations/0016-invitations.ts';
import { givenAccount } from '../support/accounts.ts';
import { codeOf } from '../support/failures.ts';
import { meanwhile } from '../support/faults.ts';
import { enter, expectOneHolder, invite, setStatus, storedOfAddress } from '../support/invitations.ts';
import { longIt } from '../support/long.ts';
import { newAddress } from '../support/one-time-codes.ts';
import { givenRequest, signUp } from '../support/sign-up.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

describe('the migration of invitations', () => {
  let workspace: Workspace;
  let team: TestUser;
  let other: TestUser;
  let address: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());
  beforeEach(async () => {
    address = newAddress();
    [team, other] = (await Promise.all([givenAccount(workspace, 1), givenAccount(workspace, 1)])).flat() as [
      TestUser,
      TestUser,
    ];
  });
  afterEach(async () => {
    await migrate();
    await expectOneHolder(workspace, address, [team.user.account_id, other.user.account_id]);
  });

  async function migrate() {
    let cursor: unknown;
    do cursor = await invitations.step(workspace.table, cursor);
    while (cursor !== undefined);
  }
  /** As older code stored an invitation: it held the address, open or withdrawn. */
  async function givenOld(status: 'invited' | 'withdrawn') {
    const { account_id } = team.user;
    const { id } = await invite(team, address);
    if (status === 'withdrawn') await setStatus(team, id, 'deactivated');
    await workspace.table.delete(keys.invitation(address, account_id));
    const login: Login = { ...keys.login(address), user_id: id, account_id };
    await workspace.table.put(login);
    return id;
  }
  const stored = () => storedOfAddress(workspace, address);
  const join = async () => signUp(workspace, await givenRequest(workspace, address));

  it('makes invitations of logins of users who never joined, and leaves others, however often it runs', async () => {
    const { table } = workspace;
    const id = await givenOld('invited');
    const withdrawn = newAddress();
    const open = address;
    address = withdrawn;
    await givenOld('withdrawn');
    address = open;
    const logins = [workspace.ada, workspace.hank, team].map(({ user }) => keys.login(user.email_address));
    const before = await table.getMany(logins);
    expect(before.length).toBeGreaterThan(0);
    for (let run = 0; run < 2; run++) {
      await migrate();
      expect(await stored()).toMatchObject({ login: undefined, invitations: [{ user_id: id }] });
      expect(await storedOfAddress(workspace, withdrawn)).toEqual({ login: undefined, invitations: [] });
      expect(await table.getMany(logins)).toEqual(before);
    }
    expect((await enter(workspace, address)).user_id).toBe(id);
    const login = await table.get(keys.login(address));
    await migrate();
    expect(await table.get(keys.login(address))).toEqual(login);
  });

  it('leaves the login of a deactivated user who joined', async () => {
    const { id } = await invite(team, address);
    await enter(workspace, address);
    await setStatus(team, id, 'deactivated');
    await migrate();
    expect((await stored()).login?.user_id).toBe(id);
  });

  it('is not waited for: an old invitation is accepted, and keeps nobody else from the address', async () => {
    const id = await givenOld('invited');
    expect(await codeOf(invite(team, address) as never)).toBe('409 email_address_in_use');
    expect((await invite(other, address)).status).toBe('invited');
    expect((await enter(workspace, address, team.user.account_id)).user_id).toBe(id);
    address = newAddress();
    await givenOld('invited');
    expect((await join()).status).toBe(201);
    expect((await stored()).invitations).toHaveLength(1);
  });

  it('is not waited for: a withdrawn one holds nothing, is renewed, and an open one withdrawn', async () => {
    const id = await givenOld('withdrawn');
    await setStatus(team, id, 'active');
    expect((await enter(workspace, address)).user_id).toBe(id);
    address = newAddress();
    await givenOld('withdrawn');
    expect((await join()).status).toBe(201);
    address = newAddress();
    const open = await givenOld('invited');
    await setStatus(team, open, 'deactivated');
    expect(await codeOf(enter(workspace, address) as never)).toBe('401 invalid_credentials');
  });

  longIt.each([
    ['accepted', (id: string) => enter(workspace, address).then(({ user_id }) => expect(user_id).toBe(id))],
    ['withdrawn', (id: string) => setStatus(team, id, 'deactivated')],
    ['passed by who signs up', () => join()],
    ['joined by one of another account', () => invite(other, address)],
  ] as const)('an invitation that is %s meanwhile', async (_, act) => {
    const id = await givenOld('invited');
    const fault = meanwhile(workspace.table, 'TransactWriteItemsCommand', () => act(id));
    await migrate();
    fault.remove();
    expect(fault.hit).toBe(true);
    await expectOneHolder(workspace, address, [team.user.account_id, other.user.account_id]);
  });

  it('older users without the mark are invited as well', async () => {
    const id = await givenOld('invited');
    const key = keys.user(team.user.account_id, id);
    await workspace.table.update<User>(key, { remove: ['joining'] });
    await migrate();
    expect((await stored()).invitations).toMatchObject([{ user_id: id }]);
    expect((await enter(workspace, address)).user_id).toBe(id);
  });
});
