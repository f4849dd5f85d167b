import { isVisible } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
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
  { table, caller }: CallerContext,
  ids: string[],
): Promise<Map<string, OrganizationSummary>> {
  const read = await table.getMany<Organization>(ids.map((id) => keys.record('organizations', id)));
  const visible = read.filter((each) => isVisible(each, caller));
  return new Map(visible.map((each) => [each.id, summaryOf(each)]));
}
