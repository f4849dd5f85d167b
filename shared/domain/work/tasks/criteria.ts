import type { Temporal } from 'temporal-polyfill';
import { clockIn, startOfToday, startOfTomorrow } from '#shared/days.ts';
import { type Criterion, inList, sharedWith } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { ownerList } from '#shared/domain/collaboration/record-lists/listed.ts';
import { VALUED } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Bounds } from '#shared/domain/platform/postings/reader.ts';
import { timeRank } from '#shared/table/keys.ts';
import { FIRST_UNDATED, taskLists } from './lists.ts';
import { isOpen, type Task } from './task.ts';

/** Filters of tasks, as criteria. Days are those of the reader (docs/specification/records.md, "Lists of tasks"). */

export const slices = [
  'open',
  'today',
  'overdue',
  'upcoming',
  'unscheduled',
  'completed',
  'assigned',
  'created',
  'shared',
] as const;

export type Slice = (typeof slices)[number];

const order = 'due';

/** The bound before every task that is due at this moment or later. */
const from = (moment: number) => `${VALUED}${timeRank(moment)}`;

/** No day of any time zone begins or ends further from its day in UTC, in milliseconds. */
const FURTHEST = 16 * 3_600_000;

const startInUtc = (day: Temporal.PlainDate) => day.toZonedDateTime('UTC').epochMilliseconds;

const part = (list: string, bounds: Bounds = {}) => ({ list, order, ...bounds });

/** All-day tasks of the days before, or after: by day where time zones differ about the moment, else by the moment. */
function daysBefore(today: Temporal.PlainDate) {
  const edge = from(startInUtc(today) - FURTHEST);
  const near = [1, 2].map((days) => taskLists.on(today.subtract({ days }).toString()));
  return [part(taskLists.all_day, { before: edge }), ...near.map((list) => part(list, { from: edge }))];
}

function daysAfter(today: Temporal.PlainDate) {
  const edge = from(startInUtc(today.add({ days: 1 })) + FURTHEST);
  const near = [1, 2].map((days) => taskLists.on(today.add({ days }).toString()));
  return [part(taskLists.all_day, { from: edge }), ...near.map((list) => part(list, { before: edge }))];
}

const dueIn = (keeps: (task: Task, due: number) => boolean) => (task: Task) =>
  isOpen(task) && task.due_at !== null && keeps(task, Date.parse(task.due_at));

/** Of open tasks: a timed one that was due earlier today is both due today and overdue. */
function bySchedule(
  slice: 'today' | 'overdue' | 'upcoming',
  { caller: { user }, now }: CallerContext,
): Criterion<Task> {
  const date = clockIn(user.time_zone, now).toPlainDate();
  const today = date.toString();
  const [start, end] = [startOfToday(now, user.time_zone), startOfTomorrow(now, user.time_zone)];
  switch (slice) {
    case 'today':
      return {
        parts: [part(taskLists.timed, { from: from(start), before: from(end) }), part(taskLists.on(today))],
        keeps: dueIn(({ due_on }, due) => (due_on === null ? due >= start && due < end : due_on === today)),
      };
    case 'overdue':
      return {
        parts: [part(taskLists.timed, { before: from(now.getTime()) }), ...daysBefore(date)],
        keeps: dueIn(({ due_on }, due) => (due_on === null ? due < now.getTime() : due_on < today)),
      };
    case 'upcoming':
      return {
        parts: [part(taskLists.timed, { from: from(end) }), ...daysAfter(date)],
        keeps: dueIn(({ due_on }, due) => (due_on === null ? due >= end : due_on > today)),
      };
  }
}

export const isCompleted = (completed: boolean): Criterion<Task> =>
  inList<Task>(completed ? taskLists.completed : taskLists.open, (task) => isOpen(task) !== completed);

export const isAssignedTo = (id: string): Criterion<Task> =>
  inList<Task>(taskLists.assigned(id), ({ assigned_user_id }) => assigned_user_id === id);

export function ofSlice(slice: Slice, ctx: CallerContext): Criterion<Task> {
  const { user } = ctx.caller;
  switch (slice) {
    case 'open':
      return isCompleted(false);
    case 'completed':
      return isCompleted(true);
    case 'unscheduled':
      return inList<Task>(taskLists.unscheduled, (task) => isOpen(task) && task.due_at === null);
    case 'assigned':
      return isAssignedTo(user.id);
    case 'created':
      return inList<Task>(ownerList(user.id), ({ user_id }) => user_id === user.id);
    case 'shared':
      return sharedWith<Task>(user);
    default:
      return bySchedule(slice, ctx);
  }
}

/** Due before a moment, in milliseconds. */
export const dueBefore = (moment: number): Criterion<Task> => ({
  range: { order, before: from(moment) },
  keeps: ({ due_at }) => due_at !== null && Date.parse(due_at) < moment,
});

/** Due later than a moment. */
export const dueAfter = (moment: number): Criterion<Task> => ({
  range: { order, from: from(moment + 1), before: FIRST_UNDATED },
  keeps: ({ due_at }) => due_at !== null && Date.parse(due_at) > moment,
});
