import { readEvent } from '#shared/domain/calendar/calendar-events/inherited.ts';
import { importedEventId } from '#shared/domain/calendar/calendar-events/occurrence-id.ts';
import { restorableEvents } from '#shared/domain/calendar/calendar-events/restore.ts';
import { restoreRecord } from '#shared/domain/collaboration/deletions/restore.ts';
import { noHead, readEvents } from '#shared/domain/exchange/formats/ics-reader.ts';
import { readVEvent, textOf } from '#shared/domain/exchange/records/vevent.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError } from '#shared/errors.ts';
import { isUuid } from '#shared/ids.ts';
import { type Applied, sourceOf } from './read-resource.ts';
import type { SyncPorts } from './syncing.ts';

/**
 * An event whose resource was deleted, and that a server has again: its deletion was taken back there. A file that has a
 * deleted event says nothing of the kind.
 */

async function uidIn(text: string): Promise<string> {
  for await (const entry of readEvents(sourceOf(text), 'utf-8', { from: 0, known: noHead }))
    if ('event' in entry) return textOf(readVEvent(entry.event), 'uid');
  return '';
}

interface Claim {
  calendar_id: string;
  ical_uid: string;
}

async function isRestored(ctx: CallerContext<SyncPorts>, id: string, claim: Claim): Promise<boolean> {
  const event = await readEvent(ctx.table, id);
  // A file may name any event: those of other calendars are no business of it.
  if (event?.calendar_id !== claim.calendar_id || event.ical_uid !== claim.ical_uid) return false;
  try {
    await restoreRecord(ctx, restorableEvents, id);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false;
    throw error;
  }
}

/** Restores the event that the resource is about, if it rests. `applied`: it made nothing, and was not broken. */
export async function cameBack(
  ctx: CallerContext<SyncPorts>,
  calendar_id: string,
  { text }: { text: string },
  { event_ids, failure }: Applied,
): Promise<boolean> {
  if (event_ids.length > 0 || failure) return false;
  const uid = await uidIn(text);
  if (uid === '') return false;
  const ids = [importedEventId(calendar_id, uid).id, ...(isUuid(uid) ? [uid.toLowerCase()] : [])];
  for (const id of ids) if (await isRestored(ctx, id, { calendar_id, ical_uid: uid })) return true;
  return false;
}
