import { recordChange, recordDeletion } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, noChange } from '#shared/domain/platform/jobs/commit.ts';
import type { AllOf, Write } from '#shared/table/table.ts';
import { organizationIndex } from './lists.ts';
import { domainHolders, externalIds, nameHolders } from './names.ts';
import type { Organization } from './organization.ts';
import { ownerWrites } from './owners.ts';

/** The domains, the name and the external id of an organization, and its rows under spaces. */
export async function besidesOf(
  ctx: CallerContext,
  before: Organization | undefined,
  after: Organization | undefined,
): Promise<Write[]> {
  const [domains, names] = await Promise.all([
    domainHolders.change(ctx, before, after),
    nameHolders.change(ctx, before, after),
  ]);
  const rows = ownerWrites(before, after);
  return [...externalIds.change(before, after), ...domains, ...names, ...rows];
}

/**
 * The change that creates or changes an organization, with its domains, its name, its external id and its lists. It
 * fails when another request changes one of these. 409 `domain_taken`, `external_id_taken`.
 */
export async function organizationChange(
  ctx: CallerContext,
  before: Organization | undefined,
  after: Organization,
): Promise<Change> {
  if (before === after) return noChange;
  return recordChange(ctx, organizationIndex, { before, after, besides: besidesOf(ctx, before, after) });
}

/**
 * The change that marks an organization as deleted. Its domains and its external id are free at once. It fails when
 * another request changes the organization, or when a further condition does not hold.
 */
export function organizationDeletion(
  ctx: CallerContext,
  organization: Organization,
  further: AllOf<Organization> = {},
): Promise<Change> {
  const freed = besidesOf(ctx, organization, undefined);
  return recordDeletion(ctx, organizationIndex, organization, freed, further);
}
