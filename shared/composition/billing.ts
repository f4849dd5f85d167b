import type { BillsAccounts } from '#shared/domain/identity/billing/port.ts';

/** No provider: nobody pays. */
const none: BillsAccounts['billing'] = {
  open: async () => undefined,
  read: async () => ({
    provider: 'none',
    status: null,
    plan: null,
    seats: null,
    trial_ends_at: null,
    current_period_ends_at: null,
    card: null,
  }),
  close: async () => {},
};

export const billing: BillsAccounts = { billing: none };
