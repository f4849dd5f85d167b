import { Ahead } from '#shared/domain/collaboration/records/ahead.ts';
import { type OrganizationSummary, visibleSummaries } from '#shared/domain/crm/organizations/summary.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';

/** The visible employers of the contacts of one response. */
export type EmployersAhead = Ahead<OrganizationSummary>;

export const employersAhead = (ctx: CallerContext): EmployersAhead =>
  new Ahead((ids) => visibleSummaries(ctx, ids));
