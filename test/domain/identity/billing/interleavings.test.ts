import { afterAll, beforeAll, expect, it } from 'vitest';
import { payments } from '#shared/composition/payments.ts';
import { doBillingWork } from '#shared/domain/identity/billing/refresh.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { givenPayingAccount, givenStripe, referenceOf } from '../../../support/billing.ts';
import { Dice } from '../../../support/dice.ts';
import { type Fate, Interleaving, turn, type Worker } from '../../../support/interleaving.ts';
import { reduced } from '../../../support/long.ts';
import type { StripeServer } from '../../../support/stripe-server.ts';
import type { Subscription } from '../../../support/stripe-world.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Changes at Stripe and of users, and workers that hear of them in any order, at once, and fail or die anywhere. */

const STEPS = 40;

let workspace: Workspace;
let stripe: StripeServer;
let users: TestUser[];
let subscription: Subscription;
beforeAll(async () => {
  workspace = await startWorkspace();
  stripe = await givenStripe(workspace);
  users = await givenPayingAccount(workspace, 4);
  [subscription] = stripe.world.subscriptionsOf(account()) as [Subscription];
});
afterAll(async () => {
  await stripe.stop();
  await workspace.stop();
});

const account = () => (users[0] as TestUser).user.account_id;
const fates: Fate[] = [...Array<Fate>(16).fill('done'), 'fails', 'fails-after', 'dies', 'dies'];

class Story {
  readonly interleaving = new Interleaving();
  private workers: Worker[] = [];

  /** A message of the queue. */
  deliver(): void {
    const ctx = { ...workspace.ctx, now: new Date(), ports: payments };
    const work = () => doBillingWork(ctx, 'none', { account_id: account() });
    this.workers.push(this.interleaving.start(work));
  }

  async changeUser(dice: Dice): Promise<void> {
    const { id } = dice.pick(users).user;
    const status = dice.chance(50) ? 'active' : 'deactivated';
    await workspace.table.update<User>(keys.user(account(), id), { set: { status } });
    this.deliver();
  }

  changeSubscription(dice: Dice): void {
    subscription.status = dice.pick(['active', 'past_due', 'trialing', 'unpaid']);
    this.deliver();
  }

  /** Waits until every worker has a call that waits, or is done. Messages whose worker failed or died come again. */
  async settle(): Promise<void> {
    const waits = (worker: Worker) => this.interleaving.waiting.some((call) => call.worker === worker);
    while (this.workers.some((worker) => worker.state === 'working' && !waits(worker))) await turn();
    const lost = this.workers.filter(({ state }) => state === 'failed' || state === 'dead');
    this.workers = this.workers.filter(({ state }) => state === 'working');
    for (const _ of lost) this.deliver();
    if (lost.length > 0) await this.settle();
  }

  async step(dice: Dice): Promise<void> {
    const chance = dice.int(1, 100);
    if (chance <= 8) await this.changeUser(dice);
    else if (chance <= 16) this.changeSubscription(dice);
    else if (chance <= 20) this.deliver();
    else if (this.interleaving.waiting.length > 0)
      await this.interleaving.decide(dice.pick(this.interleaving.waiting), dice.pick(fates));
    await this.settle();
  }

  async finish(dice: Dice): Promise<void> {
    await this.settle();
    while (this.interleaving.waiting.length > 0) {
      await this.interleaving.decide(dice.pick(this.interleaving.waiting), 'done');
      await this.settle();
    }
  }
}

it('in the end the account shows what Stripe has, and Stripe the active users', {
  timeout: 120_000,
}, async () => {
  const seeds = Array.from({ length: reduced(12) }, () => Math.floor(Math.random() * 2 ** 31));
  for (const seed of seeds) {
    const dice = new Dice(seed);
    const story = new Story();
    const unwatch = story.interleaving.watch(workspace.table);
    for (let i = 0; i < STEPS; i++) await story.step(dice);
    await story.finish(dice);
    unwatch();
    const all = await workspace.table.all<User>(keys.account(account()).PK, 'USER#');
    const seats = all.filter(({ status }) => status === 'active').length;
    const { billing } = await referenceOf(workspace, account());
    expect(
      { seats: subscription.items.data[0]?.quantity, shown: [billing.status, billing.seats] },
      `seed ${seed}`,
    ).toEqual({ seats, shown: [subscription.status, seats] });
  }
});
