import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { interactions } from '#shared/composition/interactions.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import { presentTags } from '#shared/domain/collaboration/tags/store.ts';
import { employeesOf } from '#shared/domain/crm/contacts/employees.ts';
import { countOpenDeals } from '#shared/domain/crm/deals/count-open.ts';
import { readAround, spacesOf } from '#shared/domain/crm/details/around.ts';
import { organizationSchema, presentOrganization } from '#shared/domain/crm/organizations/organization.ts';
import { requireOrganization } from '#shared/domain/crm/organizations/policy.ts';
import { listTasksOf } from '#shared/domain/work/tasks/store.ts';

export const retrieveOrganization = route('retrieveOrganization', {
  method: 'GET',
  path: '/organizations/{id}',
  access: 'read',
  summary: 'Retrieve an organization',
  returns: { 200: { organization: organizationSchema } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  retrieveOrganization,
  async ({ ctx, params }) => {
    const organization = await requireOrganization(ctx, params.id);
    const ref = { type: 'organizations' as const, id: organization.id };
    const around = readAround(ctx);
    const [dictionary, comments, tasks, employees, open_deal_count, last_interaction_at, spacesIn] =
      await Promise.all([
        around.tags,
        listRecordComments(ctx, ref),
        listTasksOf(ctx, ref),
        employeesOf(ctx, organization),
        countOpenDeals(ctx, ref),
        ctx.ports.lastInteractionWith(ctx, ref.id),
        spacesOf(ctx, [organization], around),
      ]);
    const tags = presentTags(dictionary, organization.tag_ids ?? []);
    const extras = {
      tags,
      comments,
      tasks,
      ...employees,
      open_deal_count,
      last_interaction_at,
      space_ids: spacesIn(organization),
    };
    return { organization: presentOrganization(organization, extras) };
  },
  { ...visibility, ...replies, ...interactions },
);
