import { Temporal } from 'temporal-polyfill';
import { linksOfType } from '#shared/domain/collaboration/records/link-fields.ts';
import { emptyTask, planTask } from '#shared/domain/work/tasks/create.ts';
import { type Task, type TaskChanges, type TaskDraft, taskDraft } from '#shared/domain/work/tasks/task.ts';
import { planTaskUpdateBy } from '#shared/domain/work/tasks/update.ts';
import { externalIds } from '#shared/domain/work/tasks/writes.ts';
import { dateTime, isoDate } from '#shared/values.ts';
import type { Cells } from './cells.ts';
import type { Family } from './family.ts';
import { contactsAt, organizationsNamed, userNamed, withoutDoubledNames } from './named-records.ts';
import { addedIds, type ImportContext, type SentRow } from './row.ts';
import { readClock, readDay } from './written-values.ts';

/** Tasks of files. */

const PRIORITIES: Record<string, string> = { medium: 'normal', urgent: 'high', hoch: 'high', niedrig: 'low' };

function rowOf(cells: Cells): SentRow {
  const priority = cells.one('priority')?.toLowerCase();
  const visibility = cells.one('visibility')?.toLowerCase();
  const due = cells.one('due_at');
  const clock = due === undefined ? undefined : readClock(due);
  const ids = (field: string) => cells.words(field).map((id) => id.toLowerCase());
  const lists = {
    contacts: cells.words('contacts'),
    contact_ids: ids('contact_ids'),
    organizations: cells.many('organizations').map(({ text }) => text),
    organization_ids: ids('organization_ids'),
  };
  const draft = {
    ...cells.plain(['name', 'description', 'assigned_user', 'assigned_user_id', 'external_id']),
    ...cells.plain(['deal_id', 'space_id', 'milestone_id']),
    ...(priority === undefined ? {} : { priority: PRIORITIES[priority] ?? priority }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(due === undefined ? {} : dueIn(due, readDay(due, cells.style), clock)),
    ...Object.fromEntries(Object.entries(lists).filter(([, some]) => some.length > 0)),
  };
  return { draft, tags: [] };
}

/** A moment with its offset, a clock time of the user, or a whole day. */
function dueIn(text: string, day: string, clock: string | undefined): object {
  if (dateTime.safeParse(text).success) return { due_at: text };
  return clock === undefined ? { due_at: day, all_day: true } : { due_at: `${day}T${clock}` };
}

/** A clock time is one of the user's time zone. */
function momentOf(due: unknown, zone: string): unknown {
  const [day, clock] = typeof due === 'string' ? due.split('T') : [];
  if (!isoDate.safeParse(day).success || clock?.length !== 5) return due;
  try {
    const local = Temporal.PlainDateTime.from(`${day}T${clock}`);
    return new Date(local.toZonedDateTime(zone).epochMilliseconds).toISOString();
  } catch {
    return due;
  }
}

async function resolve(ctx: ImportContext, row: SentRow): Promise<SentRow> {
  const { organizations, contacts, assigned_user, ...rest } = withoutDoubledNames(row.draft);
  const draft: Record<string, unknown> = { ...rest };
  if (rest.due_at !== undefined) draft.due_at = momentOf(rest.due_at, ctx.caller.user.time_zone);
  if (typeof assigned_user === 'string') draft.assigned_user_id = await userNamed(ctx, assigned_user);
  if (Array.isArray(organizations)) {
    const named = await organizationsNamed(ctx, 'organizations', organizations);
    draft.organization_ids = [...new Set(named)];
  }
  if (Array.isArray(contacts)) {
    const ids = (rest.contact_ids ?? []) as string[];
    draft.contact_ids = [...new Set([...ids, ...(await contactsAt(ctx, contacts))])];
  }
  return { ...row, draft };
}

/** A row changes what it names, and adds links. */
function changesOf(before: Task, draft: TaskDraft): TaskChanges {
  const { contact_ids, organization_ids, all_day, ...rest } = draft;
  const contacts = addedIds(linksOfType(before.links, 'contacts'), contact_ids);
  const organizations = addedIds(linksOfType(before.links, 'organizations'), organization_ids);
  return {
    ...rest,
    ...(rest.due_at === undefined ? {} : { all_day }),
    ...(contacts ? { contact_ids: contacts } : {}),
    ...(organizations ? { organization_ids: organizations } : {}),
  };
}

export const taskFamily: Family<Task, TaskDraft> = {
  type: 'tasks',
  draft: taskDraft,
  external_ids: externalIds,
  tried: true,
  rowOf,
  resolve,
  turnsOf: () => [],
  create: (ctx, draft, id) => planTask(ctx, draft, emptyTask(ctx, id)),
  update: (ctx, id, draft) => planTaskUpdateBy(ctx, id, (before) => changesOf(before, draft)),
};
