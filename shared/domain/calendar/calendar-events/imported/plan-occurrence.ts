import { Temporal } from 'temporal-polyfill';
import { clockIn } from '#shared/days.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { together } from '#shared/domain/platform/jobs/commit.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import type { CalendarEvent } from '../event.ts';
import { fieldsOf } from '../inherited.ts';
import { daysOf, plainOccurrence, withSeries } from '../load.ts';
import { type OccurrenceKey, occurrenceId } from '../occurrence-id.ts';
import { requireChangeableEvent, requireOwnEvent, requirePrivacyRight } from '../policy.ts';
import { withSent } from '../sent.ts';
import { madeOwn } from '../update.ts';
import { eventChange, seriesAsRead, storable } from '../writes.ts';
import type { ImportedEvent, Meeting } from './meeting.ts';
import { answersIn, isNewer, noted, taken } from './newer.ts';
import { unchanged } from './unchanged.ts';

/** An exception in a file: an occurrence of its series with what is different. */

/** The day counts when the series has no occurrence at that time: it may have moved since. */
function keyIn(series: CalendarEvent, named: NonNullable<Meeting['occurrence']>): OccurrenceKey {
  const days = daysOf(series);
  const at =
    'on' in named
      ? Temporal.PlainDate.from(named.on)
      : clockIn(days.zone, new Date(named.at)).toPlainDateTime();
  const key = days.keyOf(at);
  return key.length === 10 || days.has(key) ? key : key.slice(0, 10);
}

async function wantedOf(ctx: CallerContext, before: CalendarEvent, { draft, meeting }: ImportedEvent) {
  if (meeting.cancels) return { ...before, status: 'cancelled' as const };
  const { calendar_id, recurrence, ...changes } = draft;
  requirePrivacyRight(ctx.caller, before, changes.private);
  return { ...(await withSent(ctx, before, changes, before)), status: meeting.status };
}

/** With what is its own, and what came from the file. */
function occurrenceOf(base: CalendarEvent, plain: CalendarEvent, wanted: CalendarEvent): CalendarEvent {
  const own = madeOwn(plain, wanted);
  const values = own.flatMap((name) => fieldsOf[name].map((field) => [field, wanted[field]]));
  return { ...base, ...Object.fromEntries(values), own };
}

/** An occurrence that was deleted here stays so. */
export async function planOccurrence(
  ctx: CallerContext,
  series: CalendarEvent,
  sent: ImportedEvent,
): Promise<Plan<CalendarEvent> | undefined> {
  const { meeting } = sent;
  const fromServer = meeting.at_server !== undefined;
  await (fromServer ? requireOwnEvent : requireChangeableEvent)(ctx, series.id);
  const key = keyIn(series, meeting.occurrence as NonNullable<Meeting['occurrence']>);
  const id = occurrenceId(series.handle, key);
  const found = await ctx.table.get<CalendarEvent>(keys.record('calendar_events', id));
  const stored = isThere(found) ? found : undefined;
  if (!stored && series.apart?.has(key)) return undefined;
  if (!fromServer && stored?.file && !isNewer(meeting, stored.file)) return unchanged(stored);
  const plain = plainOccurrence(series, key);
  const event = stored ? withSeries(stored, series) : plain;
  const wanted = await wantedOf(ctx, event, sent);
  const merged = stored ? taken(stored, event, wanted) : wanted;
  const base = stored ?? storable(plain, ctx.now);
  const responses = meeting.cancels
    ? base.responses
    : answersIn({ ...event, responses: base.responses }, wanted, meeting);
  const { file } = noted({ ...wanted, ...(base.file ? { file: base.file } : {}) }, sent);
  const updated_at = stored ? nextMoment(event, ctx.now) : null;
  const after = { ...occurrenceOf(base, plain, merged), responses, file, updated_at };
  return {
    before: stored,
    after,
    change: async (to = after) =>
      together(await eventChange(ctx, { stored, series }, to), seriesAsRead({ stored, series })),
  };
}
