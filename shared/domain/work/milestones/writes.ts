import { linkWrites } from '#shared/domain/collaboration/record-lists/linked.ts';
import { recordChange, recordDeletion } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Change } from '#shared/domain/platform/jobs/commit.ts';
import type { Write } from '#shared/table/table.ts';
import { milestoneLimit } from './limit.ts';
import { milestoneIndex } from './lists.ts';
import type { Milestone } from './milestone.ts';

/** The row under its parent. */
function parentWrites(id: string, before: Milestone | undefined, after: Milestone | undefined): Write[] {
  const refs = (milestone: Milestone | undefined) => (milestone?.parent ? [milestone.parent] : []);
  return linkWrites({ type: 'milestones', id }, refs(before), refs(after));
}

/** The row under its parent, and that it counts. */
export const besidesOf = (before: Milestone | undefined, after: Milestone): Write[] => [
  ...parentWrites(after.id, before, after),
  ...(before ? [] : [milestoneLimit.count(after.account_id)]),
];

/**
 * The change that creates or changes a milestone, with the row under its parent and its lists; `also` are further writes.
 * It fails when another request changes one of these. 400 when the account has the maximum number of milestones.
 */
export function milestoneChange(
  ctx: CallerContext,
  before: Milestone | undefined,
  after: Milestone,
  also: Write[] = [],
): Promise<Change> {
  const besides = [...besidesOf(before, after), ...also];
  return recordChange(ctx, milestoneIndex, { before, after, besides });
}

/** The change that marks a milestone as deleted. */
export function milestoneDeletion(ctx: CallerContext, milestone: Milestone): Promise<Change> {
  const freed = [
    ...parentWrites(milestone.id, milestone, undefined),
    milestoneLimit.uncount(milestone.account_id),
  ];
  return recordDeletion(ctx, milestoneIndex, milestone, freed);
}
