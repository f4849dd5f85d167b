import { calendarFiles, calendarServers } from '#shared/composition/calendar-servers.ts';
import { dependents } from '#shared/composition/dependents.ts';
import { keeping } from '#shared/composition/keeping.ts';
import { lists } from '#shared/composition/lists.ts';
import type { FollowJobBody } from '#shared/domain/calendar/calendars/followed/job.ts';
import type { ReachesCalendarFiles } from '#shared/domain/calendar/servers/file.ts';
import { syncFollowed } from '#shared/domain/exchange/calendar-sync/follow.ts';
import { syncCalendars } from '#shared/domain/exchange/calendar-sync/run.ts';
import type { SyncPorts } from '#shared/domain/exchange/calendar-sync/syncing.ts';
import { writeOwed } from '#shared/domain/exchange/calendar-sync/write.ts';
import { dispatchRest } from '#shared/domain/platform/jobs/job.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';

/** Milliseconds that some more events may take. */
const EVENTS_TIME = 90_000;

interface MailboxMessage {
  job_id: string;
  account_id: string;
  mailbox_id: string;
  /** Only this one is written. */
  event_id?: string;
}

type SyncMessage = MailboxMessage | (FollowJobBody & { job_id: string });

const isOfFile = (body: SyncMessage): body is FollowJobBody & { job_id: string } => 'calendar_id' in body;

/**
 * Queue `sync-calendars`: reads calendars from their servers and from addresses of files, and writes to servers what
 * changed here.
 */
export const handler = consume<SyncMessage, SyncPorts & ReachesCalendarFiles>(
  'sync-calendars',
  async (ctx, message, context) => {
    const timeIsUp = () => context.getRemainingTimeInMillis() < EVENTS_TIME;
    if (!isOfFile(message) && message.event_id !== undefined)
      return writeOwed(ctx, { ...message, event_id: message.event_id });
    const read = isOfFile(message)
      ? syncFollowed(ctx, message, timeIsUp)
      : syncCalendars(ctx, message, timeIsUp);
    if ((await read) === 'more') await dispatchRest(ctx, message.job_id);
  },
  {
    onFailure: (ctx, record, error) => postpone(ctx, 'sync-calendars', record, error),
    ports: { ...keeping, ...lists, ...dependents, ...calendarServers, ...calendarFiles },
  },
);
