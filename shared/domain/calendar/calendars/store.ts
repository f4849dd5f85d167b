import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { requireMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { listMailboxes } from '#shared/domain/mail/mailboxes/store.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Calendar, StoredCalendar } from './calendar.ts';

/** The calendar of a mailbox. It needs no item of its own: every mailbox has one, also those from before calendars. */
export const calendarIdOf = (mailbox_id: string) => idFrom('primary calendar', mailbox_id);

/** The mailbox of a calendar that the user has access to. */
export const mailboxOf = ({ mailboxes }: Pick<User, 'mailboxes'>, calendar_id: string) =>
  Object.keys(mailboxes).find((id) => calendarIdOf(id) === calendar_id);

function calendarOf(mailbox: Mailbox, owner: User | undefined, stored: StoredCalendar | undefined): Calendar {
  const { id: mailbox_id, user_id, name, created_at } = mailbox;
  return {
    name,
    description: null,
    color: null,
    read_only: false,
    auto_meeting_enabled: false,
    updated_at: null,
    ...stored,
    id: calendarIdOf(mailbox_id),
    user_id,
    mailbox_id,
    time_zone: owner?.time_zone ?? 'UTC',
    primary: true,
    sync_enabled: false,
    last_synced_at: null,
    created_at,
  };
}

/** The calendars of these mailboxes. */
export async function calendarsOf(
  { table, caller: { account } }: CallerContext,
  mailboxes: Mailbox[],
): Promise<Calendar[]> {
  const keyOfEach = mailboxes.map(({ id }) => keys.calendar(account.id, calendarIdOf(id)));
  const [owners, stored] = await Promise.all([
    findUsers(table, account.id, [...new Set(mailboxes.map(({ user_id }) => user_id))]),
    table.getMany<StoredCalendar>(keyOfEach),
  ]);
  const ownerById = new Map(owners.map((owner) => [owner.id, owner]));
  const storedByKey = new Map(stored.map((item) => [item.SK, item]));
  return mailboxes.map((mailbox, i) =>
    calendarOf(mailbox, ownerById.get(mailbox.user_id), storedByKey.get(keyOfEach[i]?.SK ?? '')),
  );
}

/** Those that the caller has access to, oldest first. 404 for a mailbox without access. */
export async function listCalendars(ctx: CallerContext, mailbox_id?: string): Promise<Calendar[]> {
  const mailboxes = await (mailbox_id === undefined
    ? listMailboxes(ctx)
    : requireMailbox(ctx, mailbox_id).then((mailbox) => [mailbox]));
  return calendarsOf(ctx, mailboxes);
}
