import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireContact } from './policy.ts';
import { contactDeletion } from './writes.ts';

/**
 * Deletes a contact: nobody finds it from then on, and a job removes its dependents. Every user who sees a contact may
 * delete it (docs/specification/records.md, "Visibility"): 404 for any other.
 */
export function deleteContact(ctx: CallerContext, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const contact = await requireContact(ctx, id);
    await commit(ctx, await contactDeletion(ctx, contact));
  });
}
