import { matching } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import { organizationIndex } from '#shared/domain/crm/organizations/lists.ts';
import type { OrganizationRow } from '../views.ts';
import { give, type ToolContext } from './context.ts';
import { organizationRow } from './read-organization.ts';

const FOUND = 10;

/** Organizations that the user sees and that match all words of the query, by name. */
export async function searchOrganizations(
  ctx: ToolContext,
  query: string,
): Promise<{ organizations: OrganizationRow[]; more: boolean }> {
  const criteria = [matching(organizationIndex, query)];
  const found = { index: organizationIndex, criteria, sort: 'name', order: 'asc' as const };
  const { rows, next } = await findRecords(ctx, found, { limit: FOUND, after: undefined });
  give(
    ctx,
    'organization',
    rows.map(({ id }) => id),
  );
  return { organizations: rows.map(organizationRow), more: next !== null };
}
