import { clockIn, startOfToday, startOfWeek } from '#shared/days.ts';

/** Moments by the clock of the asker. */

/** Zones that this machine does not know are read as UTC. */
function formatted(moment: string, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  return new Intl.DateTimeFormat('en-GB', options).format(date);
}

export function knownZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone ? zone : 'UTC';
  } catch {
    return 'UTC';
  }
}

/** "Tuesday 10 November 2026" */
export function dayIn(timeZone: string, moment: string): string {
  const options = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone } as const;
  return formatted(moment, options).replace(', ', ' ');
}

/** "Tuesday 10 November 2026, 14:05" */
export function timeIn(timeZone: string, moment: string): string {
  const clock = formatted(moment, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  return `${dayIn(timeZone, moment)}, ${clock}`;
}

/** "2026-11-10 14:05", for the date cells of tables. */
export function cellTime(timeZone: string, moment: string): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return '';
  const options = { dateStyle: 'short', timeStyle: 'short', timeZone } as const;
  return new Intl.DateTimeFormat('sv-SE', options).format(date);
}

const DAY = 86_400_000;

/** From when on, when a question names a stretch of time that reaches until now. */
export function since(question: string, now: Date, zone: string): { from: string; label: string } | null {
  const today = startOfToday(now, zone);
  const days = /\b(?:last|past) (\d{1,3}) days\b/i.exec(question);
  const starts: [RegExp, number, string][] = [
    [/\btoday\b|\bthis (?:morning|afternoon|evening)\b/i, today, 'since midnight'],
    [
      /\b(?:since )?yesterday\b/i,
      clockIn(zone, now).startOfDay().subtract({ days: 1 }).epochMilliseconds,
      'since yesterday',
    ],
    [/\bthis week\b/i, startOfWeek(now, zone, 'monday'), 'since Monday'],
    [/\b(?:last|past) (?:week|7 days)\b/i, now.getTime() - 7 * DAY, 'in the last seven days'],
    [/\bthis month\b/i, clockIn(zone, now).with({ day: 1 }).startOfDay().epochMilliseconds, 'this month'],
    [/\b(?:last|past) (?:month|30 days)\b/i, now.getTime() - 30 * DAY, 'in the last 30 days'],
  ];
  const named = starts.find(([pattern]) => pattern.test(question));
  if (named) return { from: new Date(named[1]).toISOString(), label: named[2] };
  if (!days) return null;
  return {
    from: new Date(now.getTime() - Number(days[1]) * DAY).toISOString(),
    label: `in the last ${days[1]} days`,
  };
}
