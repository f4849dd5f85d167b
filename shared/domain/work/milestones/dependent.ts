import { type Linked, type Links, linksOf } from '#shared/domain/collaboration/record-lists/relink.ts';
import { milestoneIndex } from './lists.ts';
import type { Milestone } from './milestone.ts';

export const linkedMilestones: Linked<Milestone> = {
  index: milestoneIndex,
  targets: ({ parent }) => (parent ? [parent] : []),
  relinked: (milestone, { into = null }) => ({ ...milestone, parent: into }),
  linkOf: () => null,
  withLink: (milestone, to) => (milestone.parent ? milestone : { ...milestone, parent: to }),
};

/** What milestones belong to. */
export const linksOfMilestones: Links = linksOf(linkedMilestones);
