import { requireEditable, requireRecord } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Milestone } from './milestone.ts';

/** A milestone that the caller sees. 404 for any other. */
export const requireMilestone = (ctx: CallerContext, id: string) =>
  requireRecord<Milestone>(ctx, 'milestones', id);

/** A milestone that the caller may change. 404 for a hidden one, 403 for one that the caller may only look at. */
export const requireEditableMilestone = (ctx: CallerContext, id: string) =>
  requireEditable<Milestone>(ctx, 'milestones', id);
