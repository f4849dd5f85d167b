import { mayEditIn, type OwnedCalendar, requireWritable } from '#shared/domain/calendar/calendars/policy.ts';
import { calendarsOf } from '#shared/domain/calendar/calendars/store.ts';
import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { seesDetails, type Viewer } from './access.ts';
import type { CalendarEvent, Scope, StoredTranscript } from './event.ts';
import { type Found, findVisibleEvent } from './load.ts';

/** Who may change an event, prepare it and answer it (docs/specification/calendar.md, "Access"). */

/** 404 for an event that the caller does not see. */
export async function requireEvent(ctx: CallerContext, id: string): Promise<Found> {
  const found = await findVisibleEvent(ctx, id);
  if (!found) throw recordNotFound();
  return found;
}

/** 404 also for one of which the caller sees only when it is. */
export async function requireDetails(ctx: CallerContext, id: string): Promise<Found> {
  const found = await requireEvent(ctx, id);
  if (!seesDetails(ctx.caller.user, found.event)) throw recordNotFound();
  return found;
}

const hasEditShare = (user: Viewer, event: CalendarEvent) =>
  Object.values(event.shares).some(
    (share) =>
      share.access === 'edit' &&
      (share.user_id === user.id || (share.group_id !== null && user.group_ids?.has(share.group_id))),
  );

/** The owner, and an organizer with edit access: to the mailbox, or by a share of the event. */
export function mayChange(caller: Caller, event: CalendarEvent): boolean {
  const { user } = caller;
  if (event.user_id === user.id) return true;
  const organizes = event.organizer_email_address === user.email_address.toLowerCase();
  return organizes && (mayEditIn(caller, event.mailbox_id) || hasEditShare(user, event));
}

/** As the next, without asking whether a server takes the change: for what comes from there. */
export async function requireOwnEvent(ctx: CallerContext, id: string): Promise<Found> {
  const found = await requireEvent(ctx, id);
  if (!mayChange(ctx.caller, found.event)) throw new ApiError('permission_denied');
  requireVersion(ctx, id, found.event);
  return found;
}

/**
 * An event whose fields the caller may change. 404 for a hidden one, 403 for any other, and 422 while the server that
 * keeps it takes no changes.
 */
export async function requireChangeableEvent(ctx: CallerContext, id: string): Promise<Found> {
  const found = await requireOwnEvent(ctx, id);
  if (found.event.at_server !== undefined) requireWritable(await placeOf(ctx, found.event));
  return found;
}

/** The same for what a scope reaches: whoever may change one occurrence may not therefore change its series. */
export async function requireChangeableScope(ctx: CallerContext, id: string, scope: Scope): Promise<Found> {
  const found = await requireChangeableEvent(ctx, id);
  if (scope !== 'this' && found.series && !mayChange(ctx.caller, found.series))
    throw new ApiError('permission_denied');
  return found;
}

/** The calendar of an event, whoever asks. */
async function placeOf(
  ctx: CallerContext,
  { mailbox_id, calendar_id }: CalendarEvent,
): Promise<OwnedCalendar> {
  if (mailbox_id === null) throw new ApiError('calendar_read_only');
  const mailbox = await ctx.table.get<Mailbox>(keys.mailbox(ctx.caller.account.id, mailbox_id));
  const calendars = mailbox ? await calendarsOf(ctx, [mailbox]) : [];
  const calendar = calendars.find(({ id }) => id === calendar_id);
  if (!mailbox || !calendar) throw new ApiError('calendar_read_only');
  return { mailbox, calendar };
}

/** Only the owner decides whether others see what it is about. */
export function requirePrivacyRight(
  { user }: Caller,
  event: CalendarEvent,
  wanted: boolean | undefined,
): void {
  if (wanted === undefined || wanted === event.private || event.user_id === user.id) return;
  throw new ApiError('permission_denied');
}

/** Whether the caller edits in the calendar of the event: in its mailbox, or because it is one that the caller follows. */
export const editsAround = (caller: Caller, { mailbox_id, user_id }: CalendarEvent) =>
  mailbox_id === null ? user_id === caller.user.id : mayEditIn(caller, mailbox_id);

/** Whether the caller prepares and records the meeting: who edits in the calendar, or by a share. */
export async function requirePreparableEvent(ctx: CallerContext, id: string): Promise<Found> {
  const found = await requireEvent(ctx, id);
  const { caller } = ctx;
  const may = editsAround(caller, found.event) || hasEditShare(caller.user, found.event);
  if (!seesDetails(caller.user, found.event) || !may) throw new ApiError('permission_denied');
  return found;
}

/** The address by which the caller is invited. 403 for everybody else. */
export async function requireInvitedTo(
  ctx: CallerContext,
  id: string,
): Promise<{ found: Found; email_address: string }> {
  const found = await requireEvent(ctx, id);
  const own = found.event.attendees.find(({ user }) => user?.id === ctx.caller.user.id);
  if (!own) throw new ApiError('permission_denied');
  return { found, email_address: own.email_address };
}

/** 404 `no_transcript` for an event without one, or of which the caller sees only when it is. */
export function requireTranscript({ user }: Caller, event: CalendarEvent): StoredTranscript {
  if (event.transcript === null || !seesDetails(user, event)) throw new ApiError('no_transcript');
  return event.transcript;
}
