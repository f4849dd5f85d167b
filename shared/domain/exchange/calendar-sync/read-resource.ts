import { fromServer } from '#shared/domain/calendar/calendar-events/at-server.ts';
import { deletionOf } from '#shared/domain/calendar/calendar-events/delete.ts';
import type { CalendarEvent, EventDraft } from '#shared/domain/calendar/calendar-events/event.ts';
import { pagesOfOccurrences } from '#shared/domain/calendar/calendar-events/exceptions.ts';
import { daysOf, findEvent, isSeries, withSeries } from '#shared/domain/calendar/calendar-events/load.ts';
import { eventChange, seriesAsRead } from '#shared/domain/calendar/calendar-events/writes.ts';
import { type EventEntry, noHead, readEvents } from '#shared/domain/exchange/formats/ics-reader.ts';
import type { ByteSource } from '#shared/domain/exchange/formats/source.ts';
import { eventFamily, readEvent } from '#shared/domain/exchange/records/calendar-events.ts';
import type { AnyFamily } from '#shared/domain/exchange/records/families.ts';
import type { ImportContext } from '#shared/domain/exchange/records/row.ts';
import { type RowOutcome, rowError, storeRow } from '#shared/domain/exchange/records/store-row.ts';
import type { Failure } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError } from '#shared/errors.ts';
import { idFrom } from '#shared/ids.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { Turns } from '#shared/turns.ts';

/** Makes the events of a resource events of the calendar, by the same functions as a file (docs/decisions/0050). */

type EventSent = ReturnType<typeof readEvent>;

/** What the server says counts, whatever its stamps say: its ETag has told that it is new. */
const familyOf = (url: string): AnyFamily =>
  ({
    ...eventFamily,
    async resolve(ctx: ImportContext, row: EventSent, options: never) {
      const resolved = (await eventFamily.resolve?.(ctx, row, options)) as EventSent;
      return { ...resolved, meeting: { ...resolved.meeting, at_server: url } };
    },
    async plan(ctx: ImportContext, draft: EventDraft, sent: EventSent, row: string) {
      const planned = await eventFamily.plan(ctx, draft, sent, row);
      if (!planned) return undefined;
      const change = async () => fromServer(await planned.plan.change());
      return { ...planned, plan: { ...planned.plan, change } };
    },
  }) as unknown as AnyFamily;

export const sourceOf = (text: string): ByteSource => {
  const bytes = Buffer.from(text);
  return {
    size: bytes.length,
    async *read(start, end) {
      yield bytes.subarray(start, end);
    },
  };
};

/** Events of one resource: a series with its exceptions. */
export const MAX_EVENTS = 2_100;

async function entriesIn(text: string): Promise<EventEntry[]> {
  const entries: EventEntry[] = [];
  for await (const entry of readEvents(sourceOf(text), 'utf-8', { from: 0, known: noHead })) {
    if (entries.length >= MAX_EVENTS)
      throw new ApiError('invalid_request', { message: 'The resource has too many events.' });
    entries.push(entry);
  }
  return entries;
}

type Read = { row: EventSent } | { failed: RowOutcome };

function readEntry(entry: EventEntry): Read {
  const refused = (error: ApiError): Read => ({ failed: { status: 'failed', error: rowError(error) } });
  if ('failure' in entry)
    return refused(new ApiError('invalid_request', { message: 'The event is too large.' }));
  try {
    return { row: readEvent(entry) };
  } catch (error) {
    if (error instanceof ApiError) return refused(error);
    throw error;
  }
}

/** A series comes before its exceptions. */
const inOrder = (all: Read[]): Read[] => {
  const isLater = (each: Read) => 'row' in each && each.row.later === true;
  return [...all.filter((each) => !isLater(each)), ...all.filter(isLater)];
};

/** Whether it is an EXDATE, and not its rule, that takes the occurrence from the series. */
function leavesOut(series: CalendarEvent, key: string): boolean {
  const recurrence = (series.recurrence ?? []).filter((line) => !line.startsWith('EXDATE'));
  return !daysOf(series).has(key) && daysOf({ ...series, recurrence }).has(key);
}

/** An occurrence that the server no longer changes: left out, or as its series says. */
async function settleOne(
  ctx: ImportContext,
  series: CalendarEvent,
  stored: CalendarEvent,
  read: ReadonlySet<string>,
): Promise<void> {
  const excluded = leavesOut(series, stored.original_key ?? '');
  if (read.has(stored.id) || !(stored.file || excluded)) return;
  const found = { event: withSeries(stored, series), stored, series };
  if (!daysOf(series).has(stored.original_key ?? '')) {
    await commit(ctx, fromServer(await deletionOf(ctx, found, 'this')));
    return;
  }
  const { file, ...rest } = stored;
  const after: CalendarEvent = { ...rest, own: [], updated_at: nextMoment(found.event, ctx.now) };
  const change = together(await eventChange(ctx, found, after), seriesAsRead(found));
  await commit(ctx, fromServer(change));
}

async function settle(ctx: ImportContext, series_id: string, read: ReadonlySet<string>): Promise<void> {
  const series = (await findEvent(ctx.table, series_id))?.event;
  if (!series?.apart || !isSeries(series)) return;
  for await (const page of pagesOfOccurrences(ctx.table, series_id))
    for (const stored of page) await settleOne(ctx, series, stored, read);
}

export interface Applied {
  event_ids: string[];
  failure: Failure | null;
}

function failureOf(outcomes: RowOutcome[]): Failure | null {
  const failed = outcomes.find((each) => each.status === 'failed');
  if (failed?.status !== 'failed') return null;
  const { code, message, fields } = failed.error;
  const [field] = fields;
  return { code, message: field ? `${field.field} ${field.message}` : message };
}

/** One broken event leaves the others as they are. Throws for an outage, and if `patient` for what nothing explains. */
export async function applyResource(
  ctx: ImportContext,
  calendar_id: string,
  { url, text }: { url: string; text: string },
  patient: boolean,
): Promise<Applied> {
  const target = {
    ...{ id: idFrom('resource', url), there: false, patient, dry_run: false },
    options: { pipeline_id: null, calendar_id },
    turns: new Turns(),
  };
  const outcomes: RowOutcome[] = [];
  try {
    for (const each of inOrder((await entriesIn(text)).map(readEntry)))
      outcomes.push('failed' in each ? each.failed : await storeRow(ctx, familyOf(url), each.row, target));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    outcomes.push({ status: 'failed', error: rowError(error) });
  }
  const ids = outcomes.flatMap((each) =>
    'record_id' in each && each.record_id !== null ? each.record_id : [],
  );
  const failure = failureOf(outcomes);
  const [first] = ids;
  // Of one that could not be read it is not known what it says.
  if (first !== undefined && failure === null) await retryOnConflict(() => settle(ctx, first, new Set(ids)));
  return { event_ids: ids.slice(0, 1).concat(ids.slice(1).filter((id) => id !== first)), failure };
}
