export * as createMilestone from './create-milestone.ts';
export * as deleteMilestone from './delete-milestone.ts';
export * as listMilestones from './list-milestones.ts';
export * as retrieveMilestone from './retrieve-milestone.ts';
export * as updateMilestone from './update-milestone.ts';
