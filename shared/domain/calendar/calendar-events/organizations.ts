import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import { employedAt } from '#shared/domain/crm/contacts/criteria.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { requireOrganization } from '#shared/domain/crm/organizations/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';

/** People whose addresses an organization is found by; others are found by its domains. */
const MOST = 100;

/** How the people of an organization are invited: by the domains, and by the addresses of those whom the caller sees. */
export async function peopleOfOrganization(
  ctx: CallerContext,
  id: string,
): Promise<{ addresses: string[]; domains: string[] }> {
  const query = { index: contactIndex, criteria: [employedAt(id)], sort: 'name', order: 'asc' as const };
  const [{ domains }, { rows }] = await Promise.all([
    requireOrganization(ctx, id),
    findRecords(ctx, query, { limit: MOST, after: undefined }),
  ]);
  const addresses = rows.flatMap(({ email_addresses }) =>
    email_addresses.map(({ email_address }) => email_address),
  );
  return { addresses: [...new Set(addresses)], domains };
}
