import { sentAmong } from '#shared/domain/collaboration/records/sent.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError, invalidField } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Calendar, CalendarChanges, StoredCalendar } from './calendar.ts';
import { requireCalendar, requireCalendarIn, requireOwnCalendar } from './policy.ts';

const fields = ['name', 'description', 'color', 'auto_meeting_enabled', 'sync_enabled'] as const;

/**
 * 404 for a calendar that the caller does not see, 403 for one of another user's mailbox, 502 `operation_failed` when
 * the table fails.
 */
export async function updateCalendar(
  ctx: CallerContext,
  id: string,
  changes: CalendarChanges,
): Promise<Calendar> {
  const { calendar: before, mailbox } = await requireOwnCalendar(ctx, id);
  if (changes.sync_enabled && before.url === undefined)
    throw invalidField('sync_enabled', 'invalid', 'cannot be true: the calendar is kept here');
  const sent = sentAmong(fields, changes);
  if (Object.entries(sent).every(([name, value]) => value === before[name as keyof typeof sent]))
    return before;
  const set = { ...sent, updated_at: ctx.now.toISOString() };
  try {
    await ctx.table.update<StoredCalendar>(keys.calendar(ctx.caller.account.id, id), { set }, 'NONE');
  } catch (cause) {
    throw new ApiError('operation_failed', { cause });
  }
  return mailbox ? requireCalendarIn(ctx, mailbox, id) : (await requireCalendar(ctx, id)).calendar;
}
