import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { requireVisibilityRight } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Organization, OrganizationChanges } from './organization.ts';
import { requireEditableOrganization } from './policy.ts';
import { withSent } from './sent.ts';
import { organizationChange } from './writes.ts';

/**
 * 404 for an organization that the caller does not see, 403 for one that the caller may only look at; 409 as in
 * `organizationChange`.
 */
export function updateOrganization(
  ctx: CallerContext<KeepsLists>,
  id: string,
  changes: OrganizationChanges,
): Promise<Organization> {
  return retryOnConflict(async () => {
    const before = await requireEditableOrganization(ctx, id);
    if (changes.visibility !== undefined) requireVisibilityRight(before, ctx.caller.user, changes.visibility);
    const after = afterChange(before, withSent(before, changes, ctx.now), ctx.now);
    await commit(ctx, await organizationChange(ctx, before, after));
    return after;
  });
}
