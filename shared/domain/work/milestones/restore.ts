import type { Restorable } from '#shared/domain/collaboration/deletions/restorable.ts';
import { accessOf } from '#shared/domain/collaboration/records/policy.ts';
import { linkedMilestones } from './dependent.ts';
import { milestoneIndex } from './lists.ts';
import type { Milestone } from './milestone.ts';
import { requireEditableMilestone } from './policy.ts';
import { besidesOf } from './writes.ts';

export const restorableMilestones: Restorable<Milestone> = {
  index: milestoneIndex,
  links: [{ kind: 'link', linked: linkedMilestones }],
  mayDelete: ({ caller: { user } }, milestone) => accessOf(milestone, user) === 'edit',
  require: requireEditableMilestone,
  back: async (_, after) => ({ after, writes: besidesOf(undefined, after) }),
};
