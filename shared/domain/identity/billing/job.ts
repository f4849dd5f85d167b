import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { enqueue, type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import { idFrom } from '#shared/ids.ts';
import type { Write } from '#shared/table/table.ts';
import type { BillingNews } from './payments.ts';
import type { BilledDraft } from './port.ts';

/**
 * The message of the queue `update-billing`: an account to compare with its provider, one that the provider gets to know
 * (`opens`), or the customer of one that was erased.
 */
export type BillingWork =
  | BillingNews
  | Pick<BilledDraft, 'account_id' | 'email_address'>
  | { account_id: string; opens: true }
  | { erased_customer_id: string };

/** Milliseconds. No request takes as long, so by then the account is there or never will be. */
const OPENING_TIME = 3_600_000;

/** What was made for an account that was never stored is removed by it, whoever was killed in between. */
export function openingJob({ account_id, email_address }: BilledDraft, now: Date): Job {
  const body: BillingWork = { account_id, email_address };
  const job = newJob('update-billing', body, now, idFrom('opening', account_id));
  return { ...job, due: now.getTime() + OPENING_TIME, sends: 0 };
}

/** The same news are one job while it waits. */
export const newsJob = (news: BillingNews, event_id: string, now: Date): Job =>
  newJob('update-billing', { ...news }, now, idFrom('billing', event_id));

/** Ends what a closed account pays. */
export const closingJob = ({ id }: Pick<Account, 'id'>, now: Date): Job =>
  newJob('update-billing', { account_id: id } satisfies BillingWork, now);

/** A job when the number of active users changes of an account that pays for them. */
export function seatJobs(
  { id, billing_reference }: Pick<Account, 'id' | 'billing_reference'>,
  before: Pick<User, 'status'>,
  after: Pick<User, 'status'>,
  now: Date,
): Job[] {
  const same = (before.status === 'active') === (after.status === 'active');
  return same || !billing_reference ? [] : [newJob('update-billing', { account_id: id }, now)];
}

/** Lets an account from before pay as well. The same job for all who ask. */
export const billingJob = ({ id }: Pick<Account, 'id'>, now: Date): Job =>
  newJob('update-billing', { account_id: id, opens: true } satisfies BillingWork, now, idFrom('bill', id));

/** Nothing of an erased account stays at its provider. It has no other name by then. */
export const erasingJobs = ({ billing_reference }: Account, now: Date): Job[] =>
  billing_reference
    ? [
        newJob(
          'update-billing',
          { erased_customer_id: billing_reference.customer_id } satisfies BillingWork,
          now,
        ),
      ]
    : [];

/** As a write, for who sends no messages: the sweep does, within a minute. */
export const leftToSweep = (job: Job, now: Date): Write => enqueue({ ...job, due: now.getTime(), sends: 0 });
