import { clockIn } from '#shared/days.ts';
import { readMomentOrShortcut } from '#shared/shortcuts.ts';

/** When a task is due. */

interface Zones {
  now: Date;
  /** Of the user who writes the task. */
  own: string;
  assignee: string;
}

/** The moment of a request; a day without a time begins in the assignee's time zone when the whole day counts. */
export function readDue(sent: string | null, all_day: boolean, { now, own, assignee }: Zones): string | null {
  if (sent === null) return null;
  const time_zone = all_day ? assignee : own;
  return readMomentOrShortcut(sent, { field: 'due_at', now, time_zone }).toISOString();
}

/** The day of an all-day task. */
export function dayOf(due_at: string | null, all_day: boolean, time_zone: string): string | null {
  return due_at !== null && all_day ? clockIn(time_zone, new Date(due_at)).toPlainDate().toString() : null;
}
