import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Calendar, StoredCalendar } from '../calendar.ts';
import type { CalendarSubscription } from '../subscriptions/subscription.ts';

/** The calendars that a user follows: nobody else sees them. */

type Follower = Pick<User, 'id' | 'time_zone'>;

/** Undefined for any other calendar, that of another user, and one whose subscription ended. */
export function followedCalendarOf(
  user: Follower,
  id: string,
  stored: StoredCalendar | undefined,
): Calendar | undefined {
  const { follow, served, found_at, synced_at = null } = stored ?? {};
  if (follow?.user_id !== user.id || follow.ended || !served || found_at === undefined) return undefined;
  const { name, description, color, auto_meeting_enabled, updated_at, sync_enabled } = stored ?? {};
  return {
    ...{ id, user_id: user.id, mailbox_id: null, time_zone: user.time_zone },
    name: name ?? served.name ?? new URL(served.url).hostname,
    description: description ?? null,
    color: color ?? null,
    ...{ primary: false, read_only: true, sync_enabled: sync_enabled ?? true },
    auto_meeting_enabled: auto_meeting_enabled ?? false,
    ...{ last_synced_at: synced_at, last_error: follow.last_error },
    ...{ created_at: found_at, updated_at: updated_at ?? null, url: served.url },
  };
}

/** The user's subscriptions to addresses, oldest first. */
export async function subscriptionsToFiles(table: Table, user_id: string): Promise<CalendarSubscription[]> {
  const { PK, SK } = keys.calendarSubscription(user_id, '');
  const all = await table.all<CalendarSubscription>(PK, SK);
  return all.filter(({ url }) => url !== undefined).sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

export async function followedCalendars({ table, caller }: CallerContext): Promise<Calendar[]> {
  const { user, account } = caller;
  const ids = (await subscriptionsToFiles(table, user.id)).map(({ calendar_id }) => calendar_id);
  const stored = await table.getMany<StoredCalendar>(ids.map((id) => keys.calendar(account.id, id)));
  const byKey = new Map(stored.map((item) => [item.SK, item]));
  return ids.flatMap((id) => followedCalendarOf(user, id, byKey.get(keys.calendar(account.id, id).SK)) ?? []);
}
