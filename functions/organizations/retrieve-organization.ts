import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import { presentTags, tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { employeesOf } from '#shared/domain/crm/contacts/employees.ts';
import { countOpenDeals } from '#shared/domain/crm/deals/count-open.ts';
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
    const { table } = ctx;
    const organization = await requireOrganization(ctx, params.id);
    const ref = { type: 'organizations' as const, id: organization.id };
    const [dictionary, comments, tasks, employees, open_deal_count] = await Promise.all([
      tagDictionary(table, ctx.caller.account.id),
      listRecordComments(ctx, ref),
      listTasksOf(ctx, ref),
      employeesOf(ctx, organization),
      countOpenDeals(ctx, ref),
    ]);
    const tags = presentTags(dictionary, organization.tag_ids ?? []);
    const extras = { tags, comments, tasks, ...employees, open_deal_count };
    return { organization: presentOrganization(organization, extras) };
  },
  { ...visibility, ...replies },
);
