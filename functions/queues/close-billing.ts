import { billing } from '#shared/composition/billing.ts';
import { closeBilling } from '#shared/domain/identity/accounts/close-billing.ts';
import type { PaidAccount } from '#shared/domain/identity/accounts/closed.ts';
import type { BillsAccounts } from '#shared/domain/identity/billing/port.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';

/** Queue `close-billing`: tells who takes the money that an account is closed. */
export const handler = consume<PaidAccount & { job_id: string }, BillsAccounts>(
  'close-billing',
  (ctx, { job_id, ...body }) => closeBilling(ctx, job_id, body),
  {
    onFailure: (ctx, record, error) => postpone(ctx, 'close-billing', record, error),
    ports: billing,
  },
);
