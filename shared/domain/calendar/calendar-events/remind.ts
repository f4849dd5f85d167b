import { isDeepStrictEqual } from 'node:util';
import { recordWrite } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { invalidField } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { CalendarEvent } from './event.ts';
import { pagesOfOccurrences } from './exceptions.ts';
import { plainOccurrence, withSeries } from './load.ts';
import { requireDetails } from './policy.ts';
import { eventWaits, occurrenceWaits } from './waiting.ts';

/** The caller's own reminders of an event, or of a whole series. They are no change of it: `updated_at` stays. */

/** Users with reminders of one event: its item has all of them. */
const MAX_REMINDED = 500;

function withReminders(event: CalendarEvent, user_id: string, minutes: number[]): CalendarEvent {
  const { reminders = {}, ...rest } = event;
  const { [user_id]: _, ...others } = reminders;
  const all = minutes.length > 0 ? { ...others, [user_id]: minutes } : others;
  const count = Object.keys(all).length;
  if (count > MAX_REMINDED && count > Object.keys(reminders).length)
    throw invalidField('reminders', 'invalid', `are for ${MAX_REMINDED} users of an event at most`);
  return count > 0 ? { ...rest, reminders: all } : rest;
}

/** Occurrences with times of their own wait for themselves, also when the series does not change after all. */
async function exceptionsWait(ctx: CallerContext, series: CalendarEvent): Promise<void> {
  if (!series.apart) return;
  for await (const stored of pagesOfOccurrences(ctx.table, series.id))
    await ctx.table.writeMany(stored.flatMap((each) => occurrenceWaits(undefined, each, series, ctx.now)));
}

/** 404 for an event of which the caller sees no more than when it is. */
export function remindOfEvent(ctx: CallerContext, id: string, minutes: number[]): Promise<CalendarEvent> {
  return retryOnConflict(async () => {
    const { event, stored, series } = await requireDetails(ctx, id);
    const before = series ?? (stored as CalendarEvent);
    const after = withReminders(before, ctx.caller.user.id, minutes);
    if (isDeepStrictEqual(after, before)) return event;
    await exceptionsWait(ctx, after);
    await ctx.table.transact([recordWrite(before, after), ...eventWaits(before, after, ctx.now)]);
    // Another occurrence may have got times of its own meanwhile.
    await exceptionsWait(ctx, after);
    if (!series) return after;
    return stored ? withSeries(stored, after) : plainOccurrence(after, event.original_key ?? '');
  });
}
