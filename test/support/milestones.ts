import type { MilestoneRecord } from '#shared/domain/work/milestones/milestone.ts';
import type { TestUser } from './workspace.ts';

let made = 0;

export async function givenMilestone({ api }: TestUser, draft: object = {}): Promise<MilestoneRecord> {
  made += 1;
  const milestone = { name: `Milestone ${made}`, ...draft };
  return (await api.createMilestone({ body: { milestone } })).body.milestone;
}

export const readMilestone = async ({ reader }: TestUser, id: string) =>
  (await reader.retrieveMilestone({ params: { id } })).body.milestone;

export const milestonesOf = async ({ reader }: TestUser) =>
  (await reader.listMilestones()).body.collection.records;

/** A task that leads to the milestone. */
export async function givenStep({ api }: TestUser, milestone_id: string, draft: object = {}) {
  const task = { name: 'Step', milestone_id, ...draft };
  return (await api.createTask({ body: { task } })).body.task;
}

/** How many tasks there are, and how many of them are completed. */
export const progressIn = ({ task_count, completed_task_count }: MilestoneRecord) => [
  task_count,
  completed_task_count,
];
