import { storedBilling as stored } from '#shared/domain/identity/billing/open.ts';
import type { ReadsBilling } from '#shared/domain/identity/billing/port.ts';

/** For the operations that only show it. */
export const storedBilling: ReadsBilling = {
  billing: { read: async (_ctx, account) => stored(account) },
};
