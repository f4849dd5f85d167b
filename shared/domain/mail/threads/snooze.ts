import { momentOrShortcut, readMomentOrShortcut } from '#shared/shortcuts.ts';

/** The end of a snooze: a word, or a moment (docs/specification/mail.md, "Snooze"). */
export const snoozeUntil = momentOrShortcut;

export interface Snooze {
  /** As returned: a date-time as sent, anything else in UTC. */
  snooze_until: string;
  /** The moment in milliseconds. */
  until: number;
}

/** `sent` matches `snoozeUntil`. 400 `invalid` for a moment that is outside of the years 0 to 9999 in UTC. */
export function readSnooze(sent: string, now: Date, time_zone: string): Snooze {
  const until = readMomentOrShortcut(sent, { field: 'snooze_until', now, time_zone });
  return { snooze_until: sent.includes(':') ? sent : until.toISOString(), until: until.getTime() };
}
