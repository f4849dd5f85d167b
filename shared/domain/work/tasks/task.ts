import * as z from 'zod';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { linksOfType } from '#shared/domain/collaboration/records/link-fields.ts';
import type { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import { shownReminders } from '#shared/domain/collaboration/reminders/minutes.ts';
import { recordRef } from '#shared/domain/collaboration/replies/block.ts';
import { type OwnedItem, presentShares, shareSchema } from '#shared/domain/collaboration/shares/share.ts';
import { apart, derived, given, optional, required, resource, type StoredFields } from '#shared/resource.ts';
import { timestamp, uuid } from '#shared/values.ts';
import { linkFields } from './links.ts';
import { written } from './written.ts';

const id = uuid.nullable();
const ids = z.array(uuid);

const tasks = resource('Task', {
  id: given(uuid),
  user_id: given(id),
  name: required(written.name, z.string().meta({ example: 'Call the shipyard' })),
  description: optional(written.description, z.string().nullable().meta({ example: '<p>Before noon.</p>' })),
  status: derived(z.enum(['open', 'completed'])),
  due_at: optional(written.due_at, timestamp.nullable()),
  all_day: optional(written.all_day.optional(), z.boolean()),
  reminders: apart(optional(written.reminders, shownReminders)),
  priority: optional(written.priority, z.enum(['low', 'normal', 'high']).nullable()),
  assigned_user_id: optional(written.assigned_user_id, id),
  completed_at: given(timestamp.nullable()),
  completed_by_user_id: given(id),
  thread_id: apart(optional(written.thread_id, id)),
  contact_ids: apart(optional(written.contact_ids, ids)),
  organization_ids: apart(optional(written.organization_ids, ids)),
  deal_id: apart(optional(written.deal_id, id)),
  space_id: apart(optional(written.space_id, id)),
  milestone_id: apart(optional(written.milestone_id, id)),
  calendar_event_id: apart(optional(written.calendar_event_id, id)),
  refs: derived(z.array(recordRef)),
  proposal_id: given(id),
  visibility: optional(written.visibility, z.enum(['account', 'private', 'linked'])),
  external_id: optional(written.external_id, z.string().nullable().meta({ example: 'todo-77' })),
  shares: derived(z.array(shareSchema).nullable()),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
});

/** A task as stored. */
export type Task = OwnedItem &
  StoredFields<typeof tasks.fields> & {
    /** What it is about. */
    links: RecordRef[];
    /** Minutes before `due_at`; missing in tasks from before there were any. */
    reminders?: number[];
    /** The day of an all-day task in the time zone of its assignee; null for every other task. */
    due_on: string | null;
  };

/** docs/specification/records.md, "Tasks". */
export const taskSchema = tasks.response;

export type TaskRecord = z.output<typeof taskSchema>;

export const taskDraft = tasks.strictDraft.meta({ id: 'TaskDraft' });

export type TaskDraft = z.output<typeof taskDraft>;

/** Fields that are not sent stay, `null` clears, and an array replaces the whole array. */
export const taskChanges = tasks.changes.meta({ id: 'TaskChanges' });

export type TaskChanges = z.output<typeof tasks.writableChanges>;

export const isOpen = ({ completed_at }: Pick<Task, 'completed_at'>) => completed_at === null;

/** As the caller sees it: records that are hidden have no name, and are in `refs` alone. */
export async function presentTask(task: Task, linked: LinkedRecords): Promise<TaskRecord> {
  const records = await Promise.all(task.links.map((ref) => linked.find(ref)));
  const visible = task.links.filter((_, i) => records[i] !== undefined);
  const first = (field: keyof typeof linkFields) => linksOfType(visible, linkFields[field])[0] ?? null;
  return tasks.present(task, {
    status: isOpen(task) ? 'open' : 'completed',
    reminders: task.reminders ?? [],
    thread_id: first('thread_id'),
    contact_ids: linksOfType(visible, 'contacts'),
    organization_ids: linksOfType(visible, 'organizations'),
    deal_id: first('deal_id'),
    space_id: first('space_id'),
    milestone_id: first('milestone_id'),
    calendar_event_id: first('calendar_event_id'),
    refs: task.links.map(({ type, id }, i) => {
      const [label = null] = Object.values(records[i]?.label ?? {});
      return { type: singular(type), id, label };
    }),
    shares: presentShares(task.shares, { type: 'tasks', id: task.id }),
  });
}

/** The tasks of a page, or after a change. */
export const presentTasks = (some: Task[], linked: LinkedRecords): Promise<TaskRecord[]> =>
  Promise.all(some.map((task) => presentTask(task, linked)));
