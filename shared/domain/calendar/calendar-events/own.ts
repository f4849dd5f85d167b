import type { User } from '#shared/domain/identity/users/user.ts';
import type { CalendarEvent, StoredAttendee } from './event.ts';

/** What an event is to one user. */

export const answerOf = (
  { responses, organizer_email_address }: CalendarEvent,
  { email_address }: StoredAttendee,
) =>
  responses[email_address]?.status ??
  (email_address === organizer_email_address ? ('accepted' as const) : ('needs_action' as const));

/** The answer of the user to the invitation; null for who is not invited. */
export function ownAnswer({ id }: Pick<User, 'id'>, event: CalendarEvent) {
  const own = event.attendees.find((attendee) => attendee.user?.id === id);
  return own ? answerOf(event, own) : null;
}

/** Whether it takes place for the user: in an own calendar, or on an invitation that the user has not declined. */
export function isAttendedBy(user: Pick<User, 'id'>, event: CalendarEvent): boolean {
  const answer = ownAnswer(user, event);
  const invited = event.user_id === user.id || answer !== null;
  return invited && answer !== 'declined' && event.status !== 'cancelled';
}
