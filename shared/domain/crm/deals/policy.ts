import { requireEditable, requireRecord } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Deal } from './deal.ts';

/** A deal that the caller sees. 404 for any other. */
export const requireDeal = (ctx: CallerContext, id: string) => requireRecord<Deal>(ctx, 'deals', id);

/** A deal that the caller may change. 404 for a hidden one, 403 for one that the caller may only look at. */
export const requireEditableDeal = (ctx: CallerContext, id: string) =>
  requireEditable<Deal>(ctx, 'deals', id);
