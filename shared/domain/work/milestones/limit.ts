import { RecordLimit } from '#shared/domain/collaboration/record-lists/limit.ts';

/** The list is returned whole: with the longest descriptions and a hundred shares each, some 80 MB. */
export const milestoneLimit = new RecordLimit('milestones', 500);
