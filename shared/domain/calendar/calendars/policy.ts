import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { requireMailbox, requireOwner } from '#shared/domain/mail/mailboxes/policy.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import type { Calendar } from './calendar.ts';
import { calendarsOf, placeOf } from './store.ts';

/** Whoever has access to a mailbox sees its calendars. Those that a user follows nobody else sees. */

export interface OwnedCalendar {
  calendar: Calendar;
  /** Null for one that the caller follows. */
  mailbox: Mailbox | null;
}

/** 404 for one that the mailbox has not. */
export async function requireCalendarIn(ctx: CallerContext, mailbox: Mailbox, id: string): Promise<Calendar> {
  const calendar = (await calendarsOf(ctx, [mailbox])).find((each) => each.id === id);
  if (!calendar) throw recordNotFound();
  return calendar;
}

/** A calendar that the caller sees. 404 for any other. */
export async function requireCalendar(ctx: CallerContext, id: string): Promise<OwnedCalendar> {
  const found = await placeOf(ctx, id);
  if (!found) throw recordNotFound();
  if (found.mailbox_id === null) return { calendar: found.followed, mailbox: null };
  const mailbox = await requireMailbox(ctx, found.mailbox_id);
  return { calendar: await requireCalendarIn(ctx, mailbox, id), mailbox };
}

/** Only the owner of its mailbox changes a calendar: 403 for others, admins too. */
export async function requireOwnCalendar(ctx: CallerContext, id: string): Promise<OwnedCalendar> {
  const found = await requireCalendar(ctx, id);
  if (found.mailbox) requireOwner(ctx.caller, found.mailbox);
  return found;
}

/** A calendar in which the caller creates events. 403 with view access, 422 as in `requireWritable`. */
export async function requireWritableCalendar(ctx: CallerContext, id: string): Promise<OwnedCalendar> {
  const found = await requireCalendar(ctx, id);
  if (found.mailbox) requireMailboxEdit(ctx.caller, found.mailbox.id);
  requireWritable(found);
  return found;
}

/** 422 for a calendar whose server takes no changes, or refuses the service. */
export function requireWritable({ calendar, mailbox }: OwnedCalendar): void {
  if (calendar.url !== undefined && mailbox?.status === 'locked') throw new ApiError('mailbox_locked');
  if (calendar.read_only) throw new ApiError('calendar_read_only');
}

/** Whether the user owns the mailbox or may edit in it. */
export const mayEditIn = ({ user }: Caller, mailbox_id: string | null) =>
  mailbox_id !== null && ['owner', 'edit'].includes(user.mailboxes[mailbox_id] ?? '');

/** 403 for who may only look at the mailbox. */
export function requireMailboxEdit(caller: Caller, mailbox_id: string): void {
  if (!mayEditIn(caller, mailbox_id)) throw new ApiError('permission_denied');
}
