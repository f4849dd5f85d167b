import { eventReminders } from '#shared/domain/calendar/calendar-events/reminders.ts';
import type { KnowsReminders } from '#shared/domain/collaboration/reminders/kind.ts';
import { taskReminders } from '#shared/domain/work/tasks/reminders.ts';

/** The record types that users are reminded of. */
export const reminders: KnowsReminders = {
  reminders: {
    // A line for each family.
    calendar_events: eventReminders,
    tasks: taskReminders,
  },
};
