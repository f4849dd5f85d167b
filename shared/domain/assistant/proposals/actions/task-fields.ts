import { clockIn } from '#shared/days.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { linksOfType } from '#shared/domain/collaboration/records/link-fields.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import { refKey } from '#shared/domain/collaboration/replies/block.ts';
import { htmlToText } from '#shared/domain/platform/html/text.ts';
import { linkFields } from '#shared/domain/work/tasks/links.ts';
import { isOpen, type Task } from '#shared/domain/work/tasks/task.ts';
import type { ActionContext } from './action.ts';
import { assigneeField, plainField, type ShownField, shownField } from './shown.ts';

function showDue({ due_at, due_on }: Task, time_zone: string): string | null {
  if (due_at === null || due_on !== null) return due_on;
  const time = clockIn(time_zone, new Date(due_at)).toPlainDateTime();
  return `${time.toString({ smallestUnit: 'minute' }).replace('T', ' ')} (${time_zone})`;
}

const showReminders = ({ reminders = [] }: Task) =>
  reminders.length > 0 ? `${reminders.join(', ')} minutes before` : null;

/** The names of linked records as the user sees them. */
async function namesOf(ctx: ActionContext, links: RecordRef[]): Promise<Map<string, string>> {
  const linked = new LinkedRecords(ctx);
  const named = links.map(async (ref) => {
    const [name = null] = Object.values((await linked.find(ref))?.label ?? {});
    return [refKey(ref), name ?? `a hidden ${singular(ref.type).replaceAll('_', ' ')}`] as const;
  });
  return new Map(await Promise.all(named));
}

/** The fields of tasks as people read them: times by the clock of the user, records by their names for the user. */
export async function taskFields(ctx: ActionContext, plan: Plan<Task>): Promise<ShownField<Task>[]> {
  const { before, after } = plan;
  const [names, assignee] = await Promise.all([
    namesOf(ctx, [...(before?.links ?? []), ...after.links]),
    assigneeField(ctx, plan),
  ]);
  const links = Object.entries(linkFields).map(([name, type]): ShownField<Task> => {
    const ids = (task: Task) => linksOfType(task.links, type);
    const show = (task: Task) =>
      ids(task)
        .map((id) => names.get(refKey({ type, id })))
        .join(', ') || null;
    return { name, value: ids, show };
  });
  const due = (task: Task) => showDue(task, ctx.caller.user.time_zone);
  return [
    plainField('name'),
    shownField('description', ({ description }) => (description === null ? null : htmlToText(description))),
    { name: 'due_at', value: ({ due_at, due_on }) => [due_at, due_on], show: due },
    { name: 'reminders', value: ({ reminders = [] }) => reminders, show: showReminders },
    plainField('priority'),
    assignee,
    ...links,
    plainField('visibility'),
    plainField('external_id'),
  ];
}

/** Of a task that is completed. */
export const statusField: ShownField<Task> = {
  name: 'status',
  value: isOpen,
  show: (task) => (isOpen(task) ? 'open' : 'completed'),
};
