import { presentTags } from '#shared/domain/collaboration/tags/store.ts';
import { type Around, readAround, spacesOf } from '#shared/domain/crm/details/around.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import {
  noEmployees,
  type Organization,
  type OrganizationRecord,
  presentOrganization,
} from './organization.ts';

/** Organizations as lists and changes show them: without comments, tasks and people. */
export async function presentOrganizations(
  ctx: CallerContext,
  organizations: Organization[],
  around: Around,
): Promise<OrganizationRecord[]> {
  const [dictionary, spacesIn] = await Promise.all([around.tags, spacesOf(ctx, organizations, around)]);
  return organizations.map((organization) =>
    presentOrganization(organization, {
      tags: presentTags(dictionary, organization.tag_ids ?? []),
      comments: null,
      tasks: null,
      space_ids: spacesIn(organization),
      ...noEmployees,
    }),
  );
}

/** One organization in the same way, after a change: a response must not end before its writes. */
export async function presentOne(ctx: CallerContext, organization: Organization) {
  const [presented] = await presentOrganizations(ctx, [organization], readAround(ctx));
  return { organization: presented as OrganizationRecord };
}
