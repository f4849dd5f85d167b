import { createHash } from 'node:crypto';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { isUuid } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { type Item, mustNotExist, type Table, update, type Write, when } from '#shared/table/table.ts';
import type { CalendarEvent, FileStamp } from '../event.ts';
import { isOneMeeting } from '../one-meeting.ts';

/**
 * Copies of one meeting in several calendars of an account know the first one, so that lists show one of them
 * (one-meeting.ts). That is all: a copy opens nothing.
 */

type MeetingItem = Item & { event_id: string };

const hashOf = ({ ical_uid, organizer_email_address, starts_at }: CalendarEvent) =>
  createHash('sha256')
    .update(JSON.stringify([ical_uid, organizer_email_address, starts_at]))
    .digest('base64url');

interface First {
  file: Pick<FileStamp, 'same_as' | 'names'>;
  writes: Write[];
}

/** Of a new event: the first of the same meeting, or that it is the first one. */
export async function firstOfMeeting({ table }: CallerContext, event: CalendarEvent): Promise<First> {
  const { account_id, ical_uid } = event;
  const names = hashOf(event);
  const key = keys.meeting(account_id, names);
  const made = isUuid(ical_uid ?? '') ? [keys.record('calendar_events', `${ical_uid}`.toLowerCase())] : [];
  const named = await table.get<MeetingItem>(key);
  const first = named ? [keys.record('calendar_events', named.event_id)] : [];
  const others = await table.getMany<CalendarEvent>([...made, ...first]);
  const same = others.find(
    (each) => isThere(each) && each.account_id === account_id && isOneMeeting(each, event),
  );
  if (same) return { file: { same_as: same.id, names: null }, writes: [] };
  const write: Write = named
    ? update<MeetingItem>(key, { set: { event_id: event.id }, when: { event_id: named.event_id } })
    : { put: { ...key, event_id: event.id }, when: mustNotExist };
  return { file: { same_as: null, names }, writes: [write] };
}

/** What ends with the first event of a meeting. Another copy may have taken its place. */
export async function freedMeeting(table: Table, { id, account_id, file }: CalendarEvent): Promise<Write[]> {
  if (!file?.names) return [];
  const key = keys.meeting(account_id, file.names);
  const named = await table.get<MeetingItem>(key);
  return named?.event_id === id ? [{ delete: key, when: when<MeetingItem>({ event_id: id }) }] : [];
}

/** Of an event after a change: with another start or organizer it is another meeting. */
export async function changedMeeting(
  ctx: CallerContext,
  before: CalendarEvent,
  after: CalendarEvent,
): Promise<{ after: CalendarEvent; writes: Write[] }> {
  if (!after.file || hashOf(before) === hashOf(after)) return { after, writes: [] };
  const [first, freed] = await Promise.all([firstOfMeeting(ctx, after), freedMeeting(ctx.table, before)]);
  return { after: { ...after, file: { ...after.file, ...first.file } }, writes: [...first.writes, ...freed] };
}
