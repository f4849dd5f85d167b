import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { distinguish } from './distinct.ts';
import { requireEditablePair } from './policy.ts';

/** The pair is never found again, by no user of the account. 404 and 403 as `requireEditablePair`. */
export function dismissDuplicate(ctx: CallerContext, contact_id: string, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const { contact, other } = await requireEditablePair(ctx, contact_id, id);
    await ctx.table.transact(distinguish(contact.id, other.id));
  });
}
