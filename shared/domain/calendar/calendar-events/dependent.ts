import { type Dependent, keptUnder } from '#shared/domain/collaboration/life/dependent.ts';
import { removalOf } from '#shared/domain/collaboration/life/end.ts';
import type { Writing } from '#shared/domain/collaboration/record-lists/change.ts';
import { type FormerLink, formerWrite } from '#shared/domain/collaboration/record-lists/former.ts';
import { indexingJob } from '#shared/domain/collaboration/record-lists/job.ts';
import { linkRow, unlinkRow } from '#shared/domain/collaboration/record-lists/linked.ts';
import type { Links } from '#shared/domain/collaboration/record-lists/relink.ts';
import { isLive, isThere, type RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { type Table, update, type Write } from '#shared/table/table.ts';
import type { CalendarEvent } from './event.ts';
import { eventRef } from './writes.ts';

const readStored = (table: Table, id: string) => table.get<CalendarEvent>(keys.record('calendar_events', id));

const listsFollow = (id: string, now: Date): Write =>
  enqueue(indexingJob({ record_type: 'calendar_events', record_ids: [id], and_linked: true }, now));

/** It does not rest: it could come back with its series alone. Nobody sends the job: the next sweep does. */
async function occurrenceEnd({ table, now }: Writing, id: string): Promise<Write[]> {
  if (!isThere(await readStored(table, id))) return [];
  const gone = update<CalendarEvent & RecordItem>(keys.record('calendar_events', id), {
    set: { deleting: true, deleted_at: now.toISOString(), purging: true },
    when: isLive,
  });
  return [gone, enqueue({ ...removalOf(eventRef(id), now), due: now.getTime(), sends: 0 })];
}

/** Nobody finds the occurrences of a series that rests; they return and end with it. */
export const occurrencesOfSeries: Links = {
  type: 'calendar_events',
  async relink(ctx, id, { from, rests }) {
    const { table, now } = ctx;
    const unlinked = unlinkRow(eventRef(id), from);
    if (!rests) return [unlinked, ...(await occurrenceEnd(ctx, id))];
    if (!isThere(await readStored(table, id))) return [unlinked];
    return [unlinked, formerWrite('link', eventRef(id), from, null), listsFollow(id, now)];
  },
  async linkAgain({ table, now }, id, to) {
    if (!isThere(await readStored(table, id))) return [];
    return [linkRow(eventRef(id), to), listsFollow(id, now)];
  },
};

/** Those of a series that has rested. */
export const occurrencesOfEndedSeries: Dependent = {
  async *moving() {},
  async *removing({ table, clock }, { type, id }) {
    if (type !== 'calendar_events') return;
    const { PK, SK } = keys.formerLink(type, id, 'link', 'calendar_events', '');
    for await (const page of table.pages<FormerLink>(PK, SK))
      for (const row of page)
        yield [...(await occurrenceEnd({ table, now: clock() }, row.record_id)), { delete: keyOf(row) }];
  },
};

export const transcriptsOfEvents: Dependent = keptUnder(({ id }) => keys.transcripts(id));
