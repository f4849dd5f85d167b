import { type Dependent, keptUnder } from '#shared/domain/collaboration/life/dependent.ts';
import { announceDeletion } from '#shared/domain/collaboration/life/end.ts';
import { unlinkRow } from '#shared/domain/collaboration/record-lists/linked.ts';
import type { Links } from '#shared/domain/collaboration/record-lists/relink.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import type { CalendarEvent } from './event.ts';
import { eventRef } from './writes.ts';

/** Occurrences end with their series. */
export const occurrencesOfSeries: Links = {
  type: 'calendar_events',
  async relink({ table, now }, id, { from }) {
    const unlinked = unlinkRow(eventRef(id), from);
    const stored = await table.get<CalendarEvent>(keys.record('calendar_events', id));
    if (!isThere(stored)) return [unlinked];
    const { writes, jobs } = announceDeletion(eventRef(id), now);
    // Nobody sends these jobs: the next sweep does.
    return [unlinked, ...writes, ...jobs.map((job) => enqueue({ ...job, due: now.getTime(), sends: 0 }))];
  },
};

export const transcriptsOfEvents: Dependent = keptUnder(({ id }) => keys.transcripts(id));
