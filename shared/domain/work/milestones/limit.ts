import { invalidField } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { below, either, type Item, missing, update, type Write } from '#shared/table/table.ts';

/** How many milestones an account has, whoever sees them. */
export type MilestoneCount = Item & { milestone_count?: number };

/** The list is returned whole: with the longest descriptions and a hundred shares each, some 80 MB. */
export const MAX_MILESTONES = 500;

/** Comes with a new milestone. 400 when the account has the maximum number of them. */
export function countMilestone(account_id: string): Write {
  return {
    ...update<MilestoneCount>(keys.milestoneCount(account_id), {
      add: { milestone_count: 1 },
      when: { milestone_count: either(missing, below(MAX_MILESTONES)) },
    }),
    otherwise: () =>
      invalidField(
        'milestone',
        'invalid',
        `cannot be added: an account has at most ${MAX_MILESTONES} milestones`,
      ),
  };
}

/** Goes with a milestone. */
export function uncountMilestone(account_id: string): Write {
  return update<MilestoneCount>(keys.milestoneCount(account_id), { add: { milestone_count: -1 } });
}
