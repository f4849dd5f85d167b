import { payments } from '#shared/composition/payments.ts';
import type { BillingWork } from '#shared/domain/identity/billing/job.ts';
import type { TakesPayments } from '#shared/domain/identity/billing/payments.ts';
import { doBillingWork } from '#shared/domain/identity/billing/refresh.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';

/** Queue `update-billing`: makes accounts and their payment provider agree. */
export const handler = consume<BillingWork & { job_id: string }, TakesPayments>(
  'update-billing',
  (ctx, { job_id, ...work }) => doBillingWork(ctx, job_id, work),
  {
    onFailure: (ctx, record, error) => postpone(ctx, 'update-billing', record, error),
    ports: payments,
  },
);
