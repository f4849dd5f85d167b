import * as z from 'zod';

/** When users want to be reminded (docs/specification/notifications.md, "Reminders"). */

/** Four weeks. */
const MAX_MINUTES = 40_320;

const MAX_REMINDERS = 5;

const minutes = z.int().min(0).max(MAX_MINUTES);

/** Minutes before the moment, as requests send them: parsed in order, each once. */
export const writtenReminders = z
  .array(minutes.meta({ example: 30 }))
  .max(MAX_REMINDERS)
  .transform((sent) => [...new Set(sent)].sort((a, b) => a - b))
  .meta({ description: 'Minutes before it, up to four weeks; in any order' });

export const shownReminders = z.array(minutes.meta({ example: 30 }));

export const MINUTE = 60_000;
