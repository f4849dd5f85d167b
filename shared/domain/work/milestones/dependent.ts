import { type Links, linksOf } from '#shared/domain/collaboration/record-lists/relink.ts';
import { milestoneIndex } from './lists.ts';

/** What milestones belong to. */
export const linksOfMilestones: Links = linksOf(milestoneIndex, (milestone, { into = null }) => ({
  ...milestone,
  parent: into,
}));
