import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { isCurrent } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { readOwned } from '#shared/domain/mail/mailboxes/owned.ts';
import { keys } from '#shared/table/keys.ts';
import { calendarIdOf } from '../calendars/store.ts';
import { accessTo } from './access.ts';
import type { CalendarEvent } from './event.ts';
import { importedEventId } from './occurrence-id.ts';

/** One meeting in several calendars is shown once (docs/specification/calendar.md, "One meeting in two calendars"). */

/** UID, organizer and start agree. */
export const isOneMeeting = (a: CalendarEvent, b: CalendarEvent): boolean =>
  a.id !== b.id &&
  a.ical_uid === b.ical_uid &&
  a.organizer_email_address === b.organizer_email_address &&
  a.starts_at === b.starts_at &&
  (a.recurrence === null) === (b.recurrence === null);

const mayHaveOwnCopy = (user: User, event: CalendarEvent) =>
  event.user_id !== user.id && event.file !== undefined;

/** The calendars into which the user's own mailboxes get copies. */
async function ownCalendars({ table, caller: { user } }: CallerContext): Promise<string[]> {
  const mailboxes = await readOwned(table, user);
  return mailboxes.flatMap(({ id, calendar_ids = [] }) => [calendarIdOf(id), ...calendar_ids]);
}

/** The first copy, unless this one is the organizer's, or the user's own beside a copy of somebody else. */
const firstCopy = ({ file }: CalendarEvent): string[] =>
  file?.same_as && !file.organizes ? [file.same_as] : [];

function hides(ctx: CallerContext, other: CalendarEvent, event: CalendarEvent): boolean {
  const { user } = ctx.caller;
  if (!isOneMeeting(other, event) || !isCurrent(other, ctx.caller) || !accessTo(user, other)) return false;
  const mine = event.user_id === user.id;
  return other.user_id === user.id ? !mine || other.id === event.file?.same_as : !mine || !other.file;
}

/** Those of the events in whose place a list with these criteria shows another one. They are no occurrences. */
export async function shownElsewhere(
  ctx: CallerContext,
  events: CalendarEvent[],
  criteria: Criterion<CalendarEvent>[],
): Promise<Set<string>> {
  const { user } = ctx.caller;
  const calendars = events.some((event) => mayHaveOwnCopy(user, event)) ? await ownCalendars(ctx) : [];
  const ownCopies = (event: CalendarEvent) =>
    mayHaveOwnCopy(user, event)
      ? calendars.map((calendar_id) => importedEventId(calendar_id, event.ical_uid ?? '').id)
      : [];
  const copies = events.map((event) => ({ event, ids: [...firstCopy(event), ...ownCopies(event)] }));
  const wanted = [...new Set(copies.flatMap(({ ids }) => ids))];
  if (wanted.length === 0) return new Set();
  const read = await ctx.table.getMany<CalendarEvent>(wanted.map((id) => keys.record('calendar_events', id)));
  const byId = new Map(read.map((event) => [event.id, event]));
  const listed = (other: CalendarEvent) => criteria.every(({ keeps }) => keeps(other));
  const hidden = copies.filter(({ event, ids }) =>
    ids.some((id) => {
      const other = byId.get(id);
      return other !== undefined && hides(ctx, other, event) && listed(other);
    }),
  );
  return new Set(hidden.map(({ event }) => event.id));
}
