import { calendarServers } from '#shared/composition/calendar-servers.ts';
import { dependents } from '#shared/composition/dependents.ts';
import { keeping } from '#shared/composition/keeping.ts';
import { lists } from '#shared/composition/lists.ts';
import { syncCalendars } from '#shared/domain/exchange/calendar-sync/run.ts';
import type { SyncPorts } from '#shared/domain/exchange/calendar-sync/syncing.ts';
import { writeOwed } from '#shared/domain/exchange/calendar-sync/write.ts';
import { dispatchAgain } from '#shared/domain/platform/jobs/job.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';

/** Milliseconds that some more events may take. */
const EVENTS_TIME = 90_000;

interface SyncMessage {
  job_id: string;
  account_id: string;
  mailbox_id: string;
  /** Only this one is written. */
  event_id?: string;
}

/** Queue `sync-calendars`: reads calendars from their servers, and writes to them what changed here. */
export const handler = consume<SyncMessage, SyncPorts>(
  'sync-calendars',
  async (ctx, { event_id, ...body }, context) => {
    if (event_id !== undefined) return writeOwed(ctx, { ...body, event_id });
    const timeIsUp = () => context.getRemainingTimeInMillis() < EVENTS_TIME;
    if ((await syncCalendars(ctx, body, timeIsUp)) === 'more') await dispatchAgain(ctx, body.job_id);
  },
  {
    onFailure: (ctx, record, error) => postpone(ctx, 'sync-calendars', record, error),
    ports: { ...keeping, ...lists, ...dependents, ...calendarServers },
  },
);
