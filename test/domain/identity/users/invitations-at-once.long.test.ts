import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../../support/accounts.ts';
import { crashAfter, failNth, meanwhileAt } from '../../../support/faults.ts';
import { type ForgedIssuer, startForgedIssuer } from '../../../support/forged-issuer.ts';
import { broughtBy, expectOneHolder, invite, setStatus } from '../../../support/invitations.ts';
import { reduced, SHORT_STRIDE, STRIDE } from '../../../support/long.ts';
import { givenCode, newAddress } from '../../../support/one-time-codes.ts';
import { REDIRECT } from '../../../support/openid-provider.ts';
import { signUp } from '../../../support/sign-up.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** What invites, accepts, withdraws and takes an address, in any order, at once, and killed anywhere. */
describe('an address that several want at once', () => {
  let workspace: Workspace;
  let forged: ForgedIssuer;
  let team: TestUser;
  let other: TestUser;
  beforeAll(async () => {
    [workspace, forged] = await Promise.all([startWorkspace(), startForgedIssuer()]);
    workspace.ctx.config.openid = { clients: { google: forged.client }, redirect_urls: [REDIRECT] };
  });
  afterAll(() => Promise.all([workspace.stop(), forged.stop()]));

  /** An address with a proof of each kind, and a user of the team with an invitation that is open or withdrawn. */
  interface Given {
    address: string;
    /** Who is invited by the team. */
    id: string;
    one_time_code: string;
    brought: Awaited<ReturnType<typeof broughtBy>>;
  }
  async function given(status: 'invited' | 'withdrawn'): Promise<Given> {
    const address = newAddress();
    [team, other] = (await givenTeams()) as [TestUser, TestUser];
    const { id } = await invite(team, address);
    if (status === 'withdrawn') await setStatus(team, id, 'deactivated');
    const one_time_code = await givenCode(workspace, address);
    return { address, id, one_time_code, brought: await broughtBy(workspace, forged, address) };
  }
  const givenTeams = async () =>
    (await Promise.all([givenAccount(workspace, 1), givenAccount(workspace, 1)])).flat();

  type Act = (given: Given) => Promise<unknown>;
  const signIn = (session: object) => workspace.client().createSession({ body: { session } });
  const close = ({ session, user }: TestUser) => session.closeAccount({ params: { id: user.account_id } });
  const acts: Record<string, Act> = {
    invite: ({ address }) => invite(team, address),
    'invite elsewhere': ({ address }) => invite(other, address),
    withdraw: ({ id }) => setStatus(team, id, 'deactivated'),
    delete: ({ id }) => team.session.deleteUser({ params: { id } }),
    renew: ({ id }) => setStatus(team, id, 'active'),
    accept: ({ address, one_time_code }) =>
      signIn({ email_address: address, one_time_code, account_id: team.user.account_id }),
    'sign in': ({ brought }) => signIn(brought),
    'sign up': ({ address, one_time_code }) =>
      signUp(workspace, { name: 'Own', email_address: address, one_time_code }),
    'sign up by a provider': ({ brought }) => signUp(workspace, { name: 'Own', ...brought }),
    close: () => close(team),
  };
  /** All that may come of them; nothing else does. */
  const outcomes =
    /^(20[014]|401 (unauthorized|invalid_credentials)|403 invitation_required|409 (email_address_in_use|identity_already_linked))$/;
  const outcomeOf = (act: Promise<unknown>) =>
    act.then(
      (answer) => String((answer as { status: number | string }).status).replace('invited', '201'),
      ({ status, code }) => `${status} ${code}`,
    );
  const accounts = () => [team.user.account_id, other.user.account_id];

  const states = ['invited', 'withdrawn'] as const;
  const names = Object.keys(acts);
  const pairs = names.flatMap((first) =>
    names.flatMap((second) => states.map((status) => [first, second, status] as const)),
  );

  it('one user has it, whatever comes between two calls of whatever else', { timeout: 900_000 }, async () => {
    for (const [i, [first, second, status]] of pairs.entries()) {
      if (i % SHORT_STRIDE > 0) continue;
      for (let call = 1 + (i % STRIDE), hit = true; hit; call += STRIDE) {
        const world = await given(status);
        let between = '200';
        const fault = meanwhileAt(workspace.table, call, async () => {
          between = await outcomeOf((acts[second] as Act)(world));
        });
        const outcome = await outcomeOf((acts[first] as Act)(world));
        fault.remove();
        ({ hit } = fault);
        const told = `${first}, ${second} before call ${call}, ${status}`;
        for (const each of [outcome, between]) expect(each, told).toMatch(outcomes);
        await expectOneHolder(workspace, world.address, accounts());
      }
    }
  });

  it('one user has it, however many want it at once', { timeout: 300_000 }, async () => {
    for (let round = 0; round < reduced(40); round++) {
      const world = await given(round % 2 ? 'invited' : 'withdrawn');
      const all = names.filter((name) => name !== 'close' || round % 4 === 0);
      const told = await Promise.all(all.map((name) => outcomeOf((acts[name] as Act)(world))));
      for (const [i, each] of told.entries()) expect(each, all[i]).toMatch(outcomes);
      await expectOneHolder(workspace, world.address, accounts());
    }
  });

  it.each(names)('is left whole by a process that ends at any call: %s', async (name) => {
    const act = acts[name] as Act;
    for (const status of states)
      for (let nth = names.indexOf(name), hit = true; hit; nth += STRIDE) {
        const world = await given(status);
        const fault =
          nth % 3 ? failNth(workspace.table, nth) : crashAfter(workspace.table, 1 + Math.floor(nth / 2));
        const first = await outcomeOf(act(world));
        ({ hit } = fault);
        fault.remove();
        await expectOneHolder(workspace, world.address, accounts());
        const again = await outcomeOf(act(world));
        for (const each of [first.replace(/^50\d .*/, '200'), again])
          expect(each, `${status}, ${nth}: ${first}, ${again}`).toMatch(outcomes);
        await expectOneHolder(workspace, world.address, accounts());
      }
  });
});
