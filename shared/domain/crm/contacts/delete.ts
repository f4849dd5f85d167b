import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireEditableContact } from './policy.ts';
import { contactDeletion } from './writes.ts';

/**
 * Deletes a contact: nobody finds it from then on, and a job removes its dependents. 404 for one that the caller does not
 * see, 403 for one that the caller may only look at (docs/specification/records.md, "Visibility").
 */
export function deleteContact(ctx: CallerContext<KeepsLists>, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const contact = await requireEditableContact(ctx, id);
    await commit(ctx, await contactDeletion(ctx, contact));
  });
}
