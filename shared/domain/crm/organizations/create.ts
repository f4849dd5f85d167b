import { checkedBy, fieldsToCheck } from '#shared/domain/collaboration/custom-fields/check.ts';
import { commitPlan, type Plan } from '#shared/domain/collaboration/records/plan.ts';
import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Organization, OrganizationDraft } from './organization.ts';
import { nothingSent, withSent } from './sent.ts';
import { organizationChange } from './writes.ts';

export function newOrganization(
  caller: Caller,
  draft: OrganizationDraft,
  now: Date,
  id = newId(now),
): Organization {
  const empty: Organization = {
    ...keys.record('organizations', id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    name: draft.name,
    ...nothingSent,
    created_at: now.toISOString(),
    updated_at: null,
    shares: {},
  };
  return withSent(empty, draft, now);
}

/** 400 when it is too large, or its custom fields are not as defined. */
export async function planOrganization(
  ctx: CallerContext,
  draft: OrganizationDraft,
  id?: string,
): Promise<Plan<Organization>> {
  const made = newOrganization(ctx.caller, draft, ctx.now, id);
  const planned = checkedBy(await fieldsToCheck(ctx, 'organizations'), undefined, made);
  return {
    before: undefined,
    after: planned,
    change: (after = planned) => organizationChange(ctx, undefined, after),
  };
}

/** 409 as in `organizationChange`. */
export async function createOrganization(
  ctx: CallerContext<KeepsLists>,
  draft: OrganizationDraft,
): Promise<Organization> {
  const plan = planOrganization(ctx, draft);
  return (await commitPlan(ctx, () => plan)).after;
}
