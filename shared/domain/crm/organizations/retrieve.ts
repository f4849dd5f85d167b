import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import type { KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { ShowsReplies } from '#shared/domain/collaboration/replies/present.ts';
import { presentTags } from '#shared/domain/collaboration/tags/store.ts';
import { employeesOf } from '#shared/domain/crm/contacts/employees.ts';
import { countOpenDeals } from '#shared/domain/crm/deals/count-open.ts';
import { readAround, spacesOf } from '#shared/domain/crm/details/around.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { listTasksOf } from '#shared/domain/work/tasks/store.ts';
import { type OrganizationRecord, presentOrganization } from './organization.ts';
import { requireOrganization } from './policy.ts';

/** With its comments, its tasks, its people and deals. 404 for an organization that the caller does not see. */
export async function retrieveOrganization(
  ctx: CallerContext<SeesRecords & ShowsReplies & KnowsInteractions>,
  id: string,
): Promise<OrganizationRecord> {
  const organization = await requireOrganization(ctx, id);
  const ref = { type: 'organizations' as const, id: organization.id };
  const around = readAround(ctx);
  const [dictionary, comments, tasks, employees, open_deal_count, last, spacesIn] = await Promise.all([
    around.tags,
    listRecordComments(ctx, ref),
    listTasksOf(ctx, ref),
    employeesOf(ctx, organization),
    countOpenDeals(ctx, ref),
    ctx.ports.encounters(ctx).lastWithOrganization(ref.id),
    spacesOf(ctx, [organization], around),
  ]);
  const tags = presentTags(dictionary, organization.tag_ids ?? []);
  const extras = {
    tags,
    comments,
    tasks,
    ...employees,
    open_deal_count,
    last_interaction_at: last === undefined ? null : new Date(last).toISOString(),
    space_ids: spacesIn(organization),
  };
  return presentOrganization(organization, extras);
}
