import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireEditableOrganization } from './policy.ts';
import { organizationDeletion } from './writes.ts';

/**
 * Deletes an organization: nobody finds it from then on, and a job removes its dependents. 404 for one that the caller
 * does not see, 403 for one that the caller may only look at (docs/specification/records.md, "Visibility").
 */
export function deleteOrganization(ctx: CallerContext<KeepsLists>, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const organization = await requireEditableOrganization(ctx, id);
    await commit(ctx, await organizationDeletion(ctx, organization));
  });
}
