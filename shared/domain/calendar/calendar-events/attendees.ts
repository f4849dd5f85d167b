import { isWithdrawn } from '#shared/domain/identity/users/joined.ts';
import { listUsers } from '#shared/domain/identity/users/store.ts';
import type { Table } from '#shared/table/table.ts';
import type { CalendarEvent, EventChanges, StoredAttendee } from './event.ts';

/** Who is invited to an event. The organizer always is. */

type Invited = Pick<CalendarEvent, 'attendees' | 'invited_user_ids'>;

/** Users of the account by their addresses. */
async function usersByAddress(table: Table, account_id: string) {
  const users = (await listUsers(table, account_id)).filter((user) => !isWithdrawn(user));
  return new Map(users.map(({ id, name, email_address }) => [email_address.toLowerCase(), { id, name }]));
}

/** The attendees of a request; the organizer comes first when the request leaves it out. */
export async function invitedIn(
  table: Table,
  {
    account_id,
    organizer_email_address: organizer,
  }: Pick<CalendarEvent, 'account_id' | 'organizer_email_address'>,
  sent: NonNullable<EventChanges['attendees']>,
): Promise<Invited> {
  const users = await usersByAddress(table, account_id);
  const named = sent.some(({ email_address }) => email_address === organizer);
  const all = named ? sent : [{ email_address: organizer, optional: false }, ...sent];
  const attendees = all.map(
    ({ email_address, optional = false }): StoredAttendee => ({
      email_address,
      optional,
      user: users.get(email_address) ?? null,
    }),
  );
  return { attendees, invited_user_ids: attendees.flatMap(({ user }) => user?.id ?? []) };
}
