import { asRecord } from '#shared/domain/collaboration/activity/happened.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { momentRank } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { Milestone } from './milestone.ts';

/** The list of milestones (docs/decisions/0035). */

/** After every day. */
const UNDATED = 'a';

/** Open ones first, then by their day. */
const dueRank = ({ status, due_on, created_at }: Milestone) =>
  `${status === 'open' ? 0 : 1}#${due_on ?? UNDATED}#${momentRank(created_at)}`;

export const milestoneIndex: RecordIndex<Milestone> = {
  type: 'milestones',
  orders: { due: dueRank },
  words_by: 'due',
  words: () => [],
  activity: asRecord(({ name, description, due_on, status, assigned_user_id, visibility }) => ({
    ...{ name, description, due_on, status, assigned_user_id, visibility },
  })),
  lists: () => [],
  personal: () => [],
  users: () => [],
};
