import { requireEvent } from '#shared/domain/calendar/calendar-events/policy.ts';
import { presentEvent } from '#shared/domain/calendar/calendar-events/present.ts';
import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import type { EventView } from '../views.ts';
import { commentViews, shorten } from './comments.ts';
import { give, type ToolContext } from './context.ts';

const DESCRIPTION = 2_000;

/** 404 for an event that the user does not see. Of a private one it is only when it is. */
export async function readEvent(ctx: ToolContext, id: string): Promise<EventView> {
  const { event: stored } = await requireEvent(ctx, id);
  const [event, comments] = await Promise.all([
    presentEvent(ctx, stored),
    listRecordComments(ctx, { type: 'calendar_events', id: stored.id }),
  ]);
  const { starts_at, ends_at, all_day, location, description } = event;
  give(ctx, 'calendar_event', [event.id]);
  give(
    ctx,
    'contact',
    event.attendees.flatMap(({ contact }) => contact?.id ?? []),
  );
  return {
    type: 'calendar_event',
    id: event.id,
    name: event.name ?? 'busy',
    ...{ starts_at, ends_at, all_day, location },
    description: description && shorten(description, DESCRIPTION),
    people: event.attendees.map((attendee) => ({
      contact_id: attendee.contact?.id ?? null,
      name: attendee.contact?.name ?? attendee.display_name,
      email_address: attendee.email_address,
      response: attendee.response_status,
      optional: attendee.optional,
      own: attendee.user_id === ctx.caller.user.id,
    })),
    tags: (event.tags ?? []).map(({ name }) => name),
    comments: event.name === null ? [] : await commentViews(ctx, comments),
  };
}
