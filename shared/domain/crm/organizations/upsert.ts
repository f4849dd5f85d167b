import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import { upsert } from '#shared/domain/collaboration/records/upsert.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { planOrganization } from './create.ts';
import { externalIds } from './names.ts';
import type { Organization, OrganizationDraft } from './organization.ts';
import { requireOrganization } from './policy.ts';
import { planOrganizationUpdate } from './update.ts';

/** Creates an organization, or changes the one with this external id. As in `upsert`, `planOrganization` and `planOrganizationUpdate`. */
export const upsertOrganization = (
  ctx: CallerContext<KeepsLists>,
  draft: OrganizationDraft,
): Promise<Plan<Organization>> =>
  upsert(ctx, {
    external_ids: externalIds,
    external_id: draft.external_id,
    create: () => planOrganization(ctx, draft),
    update: (id) => planOrganizationUpdate(ctx, id, draft),
    require: (id) => requireOrganization(ctx, id),
  });
