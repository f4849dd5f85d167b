import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import { noChange } from '#shared/domain/platform/jobs/commit.ts';
import type { CalendarEvent } from '../event.ts';

/** A plan that leaves the event as it is. */
export const unchanged = (event: CalendarEvent): Plan<CalendarEvent> => ({
  before: event,
  after: event,
  change: async () => noChange,
});
