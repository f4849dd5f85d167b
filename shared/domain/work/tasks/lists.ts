import type { Happened } from '#shared/domain/collaboration/activity/activity.ts';
import { inList } from '#shared/domain/collaboration/record-lists/criteria.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { ownerList } from '#shared/domain/collaboration/record-lists/listed.ts';
import { touchedAt } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import { momentRank } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { RecordKinds, RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { linksOfType } from '#shared/domain/collaboration/records/link-fields.ts';
import { audienceOf } from '#shared/domain/collaboration/records/links.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import { wordsOf } from '#shared/domain/platform/postings/words.ts';
import { isOpen, type Task } from './task.ts';

/** The lists of tasks (docs/decisions/0035). */

export const taskLists = {
  open: 'open',
  completed: 'completed',
  unscheduled: 'open:unscheduled',
  /** Open tasks that are due at a moment. */
  timed: 'open:timed',
  /** Open tasks that are due on a day. */
  all_day: 'open:day',
  on: (day: string) => `open:day:${day}`,
  assigned: (user_id: string) => `assigned:${user_id}`,
  of: ({ type, id }: RecordRef) => `${type}:${id}`,
};

function openLists({ due_at, due_on }: Task): string[] {
  if (due_at === null) return [taskLists.unscheduled];
  return due_on === null ? [taskLists.timed] : [taskLists.all_day, taskLists.on(due_on)];
}

/** After every moment: tasks without one come last. */
const UNDATED = 'a';

/** Every task has a value, so that the list can be read in both directions. */
const dueRank = ({ due_at, created_at }: Task) =>
  `${due_at === null ? UNDATED : momentRank(due_at)}#${momentRank(created_at)}`;

/** Where tasks without a moment begin. */
export const FIRST_UNDATED = `1${UNDATED}`;

export const isAbout = (ref: RecordRef) =>
  inList<Task>(taskLists.of(ref), ({ links }) =>
    links.some(({ type, id }) => type === ref.type && id === ref.id),
  );

/** Open and completed tasks of a milestone (progress.ts). */
function progressOf(task: Task): string | null {
  const [milestone] = linksOfType(task.links, 'milestones');
  return milestone === undefined ? null : `${milestone}#${isOpen(task) ? 'open' : 'completed'}`;
}

const historyOf = (task: Task) => ({
  name: task.name,
  description: task.description,
  due_at: task.due_at,
  all_day: task.all_day,
  priority: task.priority,
  assigned_user_id: task.assigned_user_id,
  completed_at: task.completed_at,
  visibility: task.visibility,
  external_id: task.external_id,
  refs: task.links.map(({ type, id }) => ({ type: singular(type), id })),
});

/** A task that is completed as it is created is both. */
function happened(before: Task | undefined, after: Task): Happened[] {
  const { completed_at } = after;
  const completed = completed_at !== null && (!before || isOpen(before));
  return [
    ...(before ? [] : [{ type: 'task_created' as const }]),
    ...(completed ? [{ type: 'task_completed' as const, at: completed_at }] : []),
  ];
}

export function taskIndex(kinds: RecordKinds): RecordIndex<Task> {
  return {
    type: 'tasks',
    orders: { due: dueRank, updated_at: (task) => momentRank(touchedAt(task)) },
    words_by: 'due',
    words: ({ name }) => wordsOf(name),
    found: ({ due_at, created_at, external_id }) => ({
      ...{ order: 'due', moment: Date.parse(due_at ?? created_at) },
      text: wordsOf(external_id),
    }),
    history: historyOf,
    activity: { happened, linked: ({ links }) => links },
    lists: (task) => [
      ownerList(task.user_id),
      ...(task.assigned_user_id === null ? [] : [taskLists.assigned(task.assigned_user_id)]),
      ...(isOpen(task) ? [taskLists.open, ...openLists(task)] : [taskLists.completed]),
      ...task.links.map(taskLists.of),
    ],
    tallies: { progress: progressOf },
    noted_moments: ['created', 'written'],
    periods: ['created', 'written'],
    personal: () => [],
    users: () => [],
    audience: (table, { links }) => audienceOf(table, kinds, links),
  };
}
