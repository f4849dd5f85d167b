import { checkedBy, fieldsToCheck } from '#shared/domain/collaboration/custom-fields/check.ts';
import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { commitPlan, type Plan } from '#shared/domain/collaboration/records/plan.ts';
import { requireVisibilityRight } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import type { Organization, OrganizationChanges } from './organization.ts';
import { requireEditableOrganization } from './policy.ts';
import { withSent } from './sent.ts';
import { organizationChange } from './writes.ts';

/**
 * What `make` makes of an organization. 404 for one that the caller does not see, 403 for one that the caller may only
 * look at, or may not make private; 400 for custom fields that are not as defined.
 */
export async function planOrganizationChange(
  ctx: CallerContext,
  id: string,
  make: (before: Organization) => Organization,
): Promise<Plan<Organization>> {
  const [before, fields] = await Promise.all([
    requireEditableOrganization(ctx, id),
    fieldsToCheck(ctx, 'organizations'),
  ]);
  const made = make(before);
  requireVisibilityRight(before, ctx.caller.user, made.visibility);
  const planned = checkedBy(fields, before, afterChange(before, made, ctx.now));
  return { before, after: planned, change: (after = planned) => organizationChange(ctx, before, after) };
}

/** As in `planOrganizationChange` and `withSent`. */
export const planOrganizationUpdate = (ctx: CallerContext, id: string, changes: OrganizationChanges) =>
  planOrganizationChange(ctx, id, (before) => withSent(before, changes, ctx.now));

/** As in `planOrganizationUpdate`; 409 as in `organizationChange`. */
export async function updateOrganization(
  ctx: CallerContext<KeepsLists>,
  id: string,
  changes: OrganizationChanges,
): Promise<Organization> {
  return (await commitPlan(ctx, () => planOrganizationUpdate(ctx, id, changes))).after;
}
