import {
  type OwnedCalendar,
  requireCalendar,
  requireWritableCalendar,
} from '#shared/domain/calendar/calendars/policy.ts';
import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { isResting, isThere } from '#shared/domain/collaboration/records/live.ts';
import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { together } from '#shared/domain/platform/jobs/commit.ts';
import { isUuid } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { planEvent } from '../create.ts';
import type { CalendarEvent } from '../event.ts';
import { isSeries } from '../load.ts';
import { importedEventId } from '../occurrence-id.ts';
import { checkedSeries } from '../occurrences.ts';
import { requireChangeableEvent, requireOwnEvent, requirePrivacyRight } from '../policy.ts';
import { withSent } from '../sent.ts';
import { changedWhole } from '../series.ts';
import { wholeChange } from '../whole-change.ts';
import { firstOfMeeting } from './first.ts';
import type { ImportedEvent } from './meeting.ts';
import { answersIn, isNewer, noted, taken } from './newer.ts';
import { planOccurrence } from './plan-occurrence.ts';
import { unchanged } from './unchanged.ts';

/** What an event of a file makes of the calendar: its id follows from its UID, so it is made once. */

/** Undefined when there is nothing to do, and nothing to name. */
type Planned = Plan<CalendarEvent> | undefined;

/** Of an exception whose series the calendar does not have: an event of its own. */
const apartUid = ({ ical_uid, occurrence }: ImportedEvent['meeting']) =>
  occurrence ? `${ical_uid} ${'on' in occurrence ? occurrence.on : occurrence.at}` : ical_uid;

/**
 * The event of the calendar that has the UID: from a file, or made here and exported; else the one whose id it is, as in
 * files for those who do not see what it is about. It may rest.
 */
async function findMeeting(
  { table }: CallerContext,
  { draft: { calendar_id }, meeting: { ical_uid, at_server } }: ImportedEvent,
): Promise<CalendarEvent | undefined> {
  const ids = [
    importedEventId(calendar_id, ical_uid).id,
    ...(isUuid(ical_uid) ? [ical_uid.toLowerCase()] : []),
  ];
  const found = await table.getMany<CalendarEvent>(ids.map((id) => keys.record('calendar_events', id)));
  const here = found.filter((event) => event.calendar_id === calendar_id);
  const same = here.filter((event) => event.ical_uid === ical_uid);
  const named = here.filter(({ id, recurring_event_id: series }) => id === ical_uid && series === null);
  const known = at_server === undefined ? [...same, ...named] : same;
  return known.find(isThere) ?? known.find(isResting);
}

async function planNew(
  ctx: CallerContext,
  sent: ImportedEvent,
  { uid, place }: { uid: string; place: OwnedCalendar },
): Promise<Planned> {
  const { draft, meeting } = sent;
  if (meeting.cancels) return undefined;
  const { id, handle } = importedEventId(draft.calendar_id, uid);
  const { at_server } = meeting;
  const begun = (empty: CalendarEvent): CalendarEvent => ({
    ...empty,
    ...keys.record('calendar_events', id),
    ...{ id, handle, ical_uid: meeting.ical_uid, status: meeting.status, responses: meeting.responses },
    organizer_email_address: meeting.organizer_email_address ?? empty.organizer_email_address,
    ...(at_server === undefined ? {} : { at_server }),
  });
  const plan = await planEvent(ctx, draft, begun, place);
  const made = noted(plan.after, sent);
  const first = await firstOfMeeting(ctx, made);
  const organizes = made.organizer_email_address === place.mailbox?.email_address.toLowerCase();
  const after = { ...made, file: { ...made.file, ...first.file, organizes } };
  const change = async (wanted: CalendarEvent = after) => together(await plan.change(wanted), first.writes);
  return { ...plan, after, change };
}

async function wantedOf(
  ctx: CallerContext,
  before: CalendarEvent,
  { draft, meeting }: ImportedEvent,
): Promise<CalendarEvent> {
  if (meeting.cancels) return { ...before, status: 'cancelled' };
  const { calendar_id, ...changes } = { ...draft, recurrence: draft.recurrence ?? null };
  requirePrivacyRight(ctx.caller, before, changes.private);
  const organizer = meeting.organizer_email_address ?? before.organizer_email_address;
  const sent = await withSent(ctx, { ...before, organizer_email_address: organizer }, changes, before);
  const whole = await changedWhole(ctx, before, sent, changes);
  return { ...whole, status: meeting.status, responses: answersIn(before, whole, meeting) };
}

/** An event of a file. What was made here stays as it is. 403 when the caller may not change the event. */
async function planChange(ctx: CallerContext, id: string, sent: ImportedEvent): Promise<Plan<CalendarEvent>> {
  const fromServer = sent.meeting.at_server !== undefined;
  const before = (await (fromServer ? requireOwnEvent : requireChangeableEvent)(ctx, id)).event;
  const { file } = before;
  if (!fromServer && (!file || !isNewer(sent.meeting, file))) return unchanged(before);
  const wanted = checkedSeries(await wantedOf(ctx, before, sent));
  const merged = checkedSeries(taken(before, before, wanted));
  // What was changed here stays so for the next file.
  const after = afterChange(before, { ...merged, file: noted(wanted, sent).file }, ctx.now);
  return { before, after, change: (to = after) => wholeChange(ctx, before, to) };
}

/** 404, 403 and 422 as for a request that creates an event; undefined for what is called off and not there, or deleted. */
export async function planImportedEvent(ctx: CallerContext, sent: ImportedEvent): Promise<Planned> {
  const { meeting, draft } = sent;
  const into = meeting.at_server === undefined ? requireWritableCalendar : requireCalendar;
  const place = await into(ctx, draft.calendar_id);
  const own = apartUid(meeting);
  const known = await findMeeting(ctx, sent);
  // A file that names it by its id says nothing of it but when it is.
  if (isResting(known) || (known && known.ical_uid !== meeting.ical_uid)) return undefined;
  if (meeting.occurrence && known && isSeries(known)) return planOccurrence(ctx, known, sent);
  const alone = meeting.occurrence ? await findAlone(ctx, draft, own) : known;
  if (isResting(alone)) return undefined;
  return isThere(alone) ? planChange(ctx, alone.id, sent) : planNew(ctx, sent, { uid: own, place });
}

function findAlone({ table }: CallerContext, { calendar_id }: ImportedEvent['draft'], uid: string) {
  const { id } = importedEventId(calendar_id, uid);
  return table.get<CalendarEvent>(keys.record('calendar_events', id));
}
