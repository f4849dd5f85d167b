import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { requireMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { listMailboxes } from '#shared/domain/mail/mailboxes/store.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Calendar, StoredCalendar } from './calendar.ts';
import { followedCalendarOf, followedCalendars } from './followed/store.ts';

/** A mailbox's own calendar. It needs no item of its own: every mailbox has one, also those from before calendars. */
export const calendarIdOf = (mailbox_id: string) => idFrom('primary calendar', mailbox_id);

/** The mailbox whose own calendar this is, of those that the user has access to. */
const ownMailboxOf = ({ mailboxes }: Pick<User, 'mailboxes'>, calendar_id: string) =>
  Object.keys(mailboxes).find((id) => calendarIdOf(id) === calendar_id);

/** Where a calendar is: the own one of a mailbox, another one of it, or one that the user follows. */
type Place = { mailbox_id: string; primary: boolean } | { mailbox_id: null; followed: Calendar };

/** Undefined for a calendar that the caller does not see. */
export async function placeOf(
  { table, caller: { user, account } }: CallerContext,
  calendar_id: string,
): Promise<Place | undefined> {
  const own = ownMailboxOf(user, calendar_id);
  if (own !== undefined) return { mailbox_id: own, primary: true };
  const stored = await table.get<StoredCalendar>(keys.calendar(account.id, calendar_id));
  const followed = followedCalendarOf(user, calendar_id, stored);
  if (followed) return { mailbox_id: null, followed };
  const { mailbox_id = null } = stored ?? {};
  if (mailbox_id === null || !Object.hasOwn(user.mailboxes, mailbox_id)) return undefined;
  return { mailbox_id, primary: false };
}

const unchanged = {
  ...{ description: null, color: null, read_only: false, auto_meeting_enabled: false, updated_at: null },
};

type Owner = Pick<User, 'time_zone'> | undefined;

function ownCalendarOf(mailbox: Mailbox, owner: Owner, stored: StoredCalendar | undefined): Calendar {
  const { id: mailbox_id, user_id, name, created_at } = mailbox;
  return {
    name,
    ...unchanged,
    ...stored,
    id: calendarIdOf(mailbox_id),
    user_id,
    mailbox_id,
    time_zone: owner?.time_zone ?? 'UTC',
    primary: true,
    sync_enabled: false,
    last_synced_at: null,
    last_error: null,
    created_at,
  };
}

/** One at a server. While it is not followed, it is only read: no change made here may be lost. */
function servedCalendarOf(id: string, mailbox: Mailbox, owner: Owner, stored: StoredCalendar): Calendar[] {
  const { served, gone = false, found_at, synced_at = null, sync_enabled: chosen = true } = stored;
  if (!served || found_at === undefined) return [];
  const sync_enabled = chosen && !gone && mailbox.calendar_sync === true;
  const { name, description, color, auto_meeting_enabled, updated_at } = stored;
  return [
    {
      id,
      user_id: mailbox.user_id,
      mailbox_id: mailbox.id,
      name: name ?? served.name ?? mailbox.name,
      description: description === undefined ? served.description : description,
      color: color === undefined ? served.color : color,
      time_zone: owner?.time_zone ?? 'UTC',
      primary: false,
      read_only: served.read_only || !sync_enabled,
      sync_enabled,
      auto_meeting_enabled: auto_meeting_enabled ?? false,
      last_synced_at: synced_at,
      last_error: null,
      created_at: found_at,
      updated_at: updated_at ?? null,
      url: served.url,
    },
  ];
}

/** The calendars of these mailboxes, each mailbox's own one first. */
export async function calendarsOf(
  { table, caller: { account } }: CallerContext,
  mailboxes: Mailbox[],
): Promise<Calendar[]> {
  const idsOf = ({ id, calendar_ids = [] }: Mailbox) => [calendarIdOf(id), ...calendar_ids];
  const [owners, stored] = await Promise.all([
    findUsers(table, account.id, [...new Set(mailboxes.map(({ user_id }) => user_id))]),
    table.getMany<StoredCalendar>(mailboxes.flatMap(idsOf).map((id) => keys.calendar(account.id, id))),
  ]);
  const ownerById = new Map(owners.map((owner) => [owner.id, owner]));
  const storedByKey = new Map(stored.map((item) => [item.SK, item]));
  return mailboxes.flatMap((mailbox) => {
    const owner = ownerById.get(mailbox.user_id);
    const [own = '', ...others] = idsOf(mailbox);
    const known = (id: string) => storedByKey.get(keys.calendar(account.id, id).SK);
    const served = others.flatMap((id) => {
      const item = known(id);
      return item ? servedCalendarOf(id, mailbox, owner, item) : [];
    });
    return [ownCalendarOf(mailbox, owner, known(own)), ...served];
  });
}

/** Those that the caller has access to, oldest mailbox first, and then those that the caller follows. */
async function allCalendars(ctx: CallerContext): Promise<Calendar[]> {
  const [ofMailboxes, followed] = await Promise.all([
    listMailboxes(ctx).then((mailboxes) => calendarsOf(ctx, mailboxes)),
    followedCalendars(ctx),
  ]);
  return [...ofMailboxes, ...followed];
}

/** 404 for a mailbox without access. */
export async function listCalendars(ctx: CallerContext, mailbox_id?: string): Promise<Calendar[]> {
  if (mailbox_id === undefined) return allCalendars(ctx);
  return calendarsOf(ctx, [await requireMailbox(ctx, mailbox_id)]);
}
