import { countRecords } from '#shared/domain/collaboration/record-lists/count.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import type { Organization, OrganizationExtras } from '#shared/domain/crm/organizations/organization.ts';
import { summaryOf } from '#shared/domain/crm/organizations/summary.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { employedAt } from './criteria.ts';
import { contactIndex } from './lists.ts';

/** People whose employments are shown with their organization. */
const SHOWN = 100;

/** The people of an organization that the caller sees: the employments of the first by name, and how many they are. */
export async function employeesOf(
  ctx: CallerContext,
  organization: Organization,
): Promise<Pick<OrganizationExtras, 'employments' | 'contact_count'>> {
  const query = { index: contactIndex, criteria: [employedAt(organization.id)] };
  const [page, count] = await Promise.all([
    findRecords(ctx, { ...query, sort: 'name', order: 'asc' }, { limit: SHOWN, after: undefined }),
    countRecords(ctx, query, undefined),
  ]);
  const employments = page.rows.flatMap(({ id, name, employments }) =>
    employments
      .filter((each) => each.organization?.id === organization.id)
      .map((each) => ({ ...each, organization: summaryOf(organization), contact: { id, name } })),
  );
  return { employments, contact_count: count.total };
}
