import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import { listTasksOf } from '#shared/domain/work/tasks/store.ts';
import { seesDetails } from './access.ts';
import type { CalendarEvent, EventRecord } from './event.ts';
import { type Ctx, presentEvent } from './present.ts';
import { eventRef } from './writes.ts';

/** With the comments and tasks of the event, for who sees what it is about. */
export async function presentRetrieved(ctx: Ctx, event: CalendarEvent): Promise<EventRecord> {
  if (!seesDetails(ctx.caller.user, event))
    return { ...(await presentEvent(ctx, event)), comments: [], tasks: [] };
  const ref = eventRef(event.id);
  const [record, comments, tasks] = await Promise.all([
    presentEvent(ctx, event),
    listRecordComments(ctx, ref),
    listTasksOf(ctx, ref),
  ]);
  return { ...record, comments, tasks };
}
