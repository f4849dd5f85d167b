import { openBilling } from '#shared/domain/identity/billing/open.ts';
import type { BillsAccounts } from '#shared/domain/identity/billing/port.ts';
import { payments } from './payments.ts';
import { storedBilling } from './stored-billing.ts';

/** For the operation that opens accounts. */
export const billing: BillsAccounts = {
  billing: {
    ...storedBilling.billing,
    open: (ctx, draft) => openBilling({ ...ctx, ports: payments }, draft),
  },
};
