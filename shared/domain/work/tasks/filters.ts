import * as z from 'zod';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import {
  externalIdFilter,
  momentFilters,
  recordCriteria,
  recordFilters,
} from '#shared/domain/collaboration/record-lists/filters.ts';
import { type Granted, unlessGranted } from '#shared/domain/collaboration/record-lists/granted.ts';
import { namedRecords } from '#shared/domain/collaboration/record-lists/named.ts';
import { anyOf, several, valuesOf } from '#shared/domain/collaboration/record-lists/several.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import type { LinkableType } from '#shared/domain/collaboration/records/types.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireUsers } from '#shared/domain/identity/users/policy.ts';
import { moment, readMoment } from '#shared/moments.ts';
import { flag, uuid } from '#shared/values.ts';
import { dueAfter, dueBefore, isAssignedTo, isCompleted, ofSlice, slices } from './criteria.ts';
import { isAbout, taskIndex } from './lists.ts';
import type { Task } from './task.ts';
import { externalIds } from './writes.ts';

/** The query parameters that list and count tasks (docs/specification/records.md, "Lists of tasks"). */

const about = (name: string) =>
  several(uuid)
    .optional()
    .meta({ description: `Tasks about one of these ${name}s` });

export const taskFilters = {
  slice: z.enum(slices).optional().meta({
    description:
      'open and completed; of open ones: today, overdue, upcoming (after today), unscheduled; assigned: to the user; created: by the user; shared: with the user or one of their groups',
  }),
  query: recordFilters.query,
  assigned_user_id: several(uuid)
    .optional()
    .meta({ description: 'Tasks that are assigned to one of these users' }),
  thread_id: about('thread'),
  contact_id: about('contact'),
  organization_id: about('organization'),
  deal_id: about('deal'),
  space_id: about('space'),
  milestone_id: about('milestone'),
  calendar_event_id: about('event'),
  ...externalIdFilter,
  due_before: moment.optional().meta({ description: 'Tasks that are due before this time' }),
  due_after: moment.optional().meta({ description: 'Tasks that are due after this time' }),
  completed: flag.optional().meta({ description: 'true: completed ones; false: open ones' }),
  ...momentFilters,
};

export type TaskFilters = z.output<z.ZodObject<typeof taskFilters>>;

const aboutFields = {
  thread_id: 'threads',
  contact_id: 'contacts',
  organization_id: 'organizations',
  deal_id: 'deals',
  space_id: 'spaces',
  milestone_id: 'milestones',
  calendar_event_id: 'calendar_events',
} as const satisfies Partial<Record<keyof TaskFilters, LinkableType>>;

interface Known {
  linked: LinkedRecords;
  granted?: Granted;
}

async function aboutCriteria(filters: TaskFilters, { linked, granted }: Known): Promise<Criterion<Task>[]> {
  const sent = (Object.keys(aboutFields) as (keyof typeof aboutFields)[]).flatMap((field) => {
    const ids = filters[field];
    return ids === undefined ? [] : [valuesOf(ids).map((id) => ({ type: aboutFields[field], id }))];
  });
  return Promise.all(
    sent.map(async (refs) => anyOf((await namedRecords(linked, refs, granted)).map(isAbout))),
  );
}

async function assignedCriteria(
  { table, caller }: CallerContext,
  sent: string | undefined,
  granted: Granted | undefined,
) {
  if (sent === undefined) return [];
  const ids = valuesOf(sent);
  await unlessGranted(granted, () => requireUsers(table, caller.account.id, ids));
  return [anyOf(ids.map(isAssignedTo))];
}

/** 404 for a record that the caller does not see, and for a user whom the account does not have. */
export async function taskCriteria(
  ctx: CallerContext<SeesRecords>,
  filters: TaskFilters,
  known: Known,
): Promise<Criterion<Task>[]> {
  const { slice, assigned_user_id, due_before, due_after, completed } = filters;
  const read = (sent: string) => readMoment(sent, ctx.caller.user.time_zone).getTime();
  const index = taskIndex(ctx.ports.records);
  const common = recordCriteria(ctx, filters, { index, external_ids: externalIds });
  const found = await Promise.all([
    aboutCriteria(filters, known),
    assignedCriteria(ctx, assigned_user_id, known.granted),
    ...common,
  ]);
  return [
    ...(slice === undefined ? [] : [ofSlice(slice, ctx)]),
    ...(due_before === undefined ? [] : [dueBefore(read(due_before))]),
    ...(due_after === undefined ? [] : [dueAfter(read(due_after))]),
    ...(completed === undefined ? [] : [isCompleted(completed)]),
    ...found.flat(),
  ];
}
