import { accessOf, isCurrent } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { CalendarEvent } from './event.ts';
import { type Found, findEvent } from './load.ts';

/**
 * Who sees an event: the readers of its calendar's mailbox, users who are invited, and those it is shared with. Of a
 * private one all but the owner see only when it is (docs/specification/calendar.md, "Access").
 */

export type Viewer = Pick<User, 'id' | 'role' | 'group_ids' | 'mailboxes'>;

export const readsMailbox = ({ mailboxes }: Pick<User, 'mailboxes'>, { mailbox_id }: CalendarEvent) =>
  Object.hasOwn(mailboxes, mailbox_id);

export const accessTo = (user: Viewer, event: CalendarEvent) =>
  accessOf(event, user, readsMailbox(user, event));

/** More than when it is. */
export const seesDetails = (user: Viewer, event: CalendarEvent) =>
  !event.private || event.user_id === user.id;

export async function findVisibleEvent(ctx: CallerContext, id: string): Promise<Found | undefined> {
  const found = await findEvent(ctx.table, id);
  if (!found || !isCurrent(found.event, ctx.caller)) return undefined;
  return accessTo(ctx.caller.user, found.event) ? found : undefined;
}
