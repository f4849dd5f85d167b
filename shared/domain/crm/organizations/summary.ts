import { visibleRecords } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Organization } from './organization.ts';

/** An organization in another record. */
export interface OrganizationSummary {
  id: string;
  name: string;
  domain: string | null;
}

export function summaryOf({ id, name, domains }: Organization): OrganizationSummary {
  return { id, name, domain: domains[0] ?? null };
}

/** By id, those that the caller sees. */
export async function visibleSummaries(
  ctx: CallerContext,
  ids: string[],
): Promise<Map<string, OrganizationSummary>> {
  const visible = await visibleRecords<Organization>(ctx, 'organizations', ids);
  return new Map(visible.map((each) => [each.id, summaryOf(each)]));
}
