import { importFile } from './imports.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Files of iCalendar. */

/** A VEVENT of an hour, unless the lines say otherwise; it ends as it begins when `lines` have a DTSTART. */
export function vevent(uid: string, ...lines: string[]): string {
  const timed = lines.some((line) => line.startsWith('DTSTART'));
  const times = timed ? [] : ['DTSTART:20261123T090000Z', 'DTEND:20261123T100000Z'];
  const named = lines.some((line) => line.startsWith('SUMMARY')) ? [] : ['SUMMARY:Ferry timetable'];
  return ['BEGIN:VEVENT', `UID:${uid}`, ...times, ...named, ...lines, 'END:VEVENT', ''].join('\r\n');
}

/** Of components, with lines before them. */
export const calendarFile = (components: string[], ...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, `${components.join('')}END:VCALENDAR`, ''].join('\r\n');

/** Imports a file into a calendar, to its end. */
export const importEvents = (
  workspace: Workspace,
  user: TestUser,
  { calendar_id, bytes, ...more }: { calendar_id: string; bytes: string | Buffer; dry_run?: boolean },
) =>
  importFile(
    workspace,
    user,
    { name: 'a.ics', bytes },
    { record_type: 'calendar_events', calendar_id, ...more },
  );

export async function eventOf({ reader }: TestUser, id: string | null | undefined) {
  return (await reader.retrieveCalendarEvent({ params: { id: `${id}` } })).body.calendar_event;
}
