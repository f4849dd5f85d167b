import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { NewJob } from '#shared/domain/platform/jobs/job.ts';
import type { CalendarEvent, StoredBrief } from '../event.ts';

/** What a stored transcript starts: the job, and the brief that is pending until then. */
export interface FollowUp {
  brief: StoredBrief;
  job: NewJob;
}

/** Port: the work on new transcripts. Undefined when there is none to do. */
export interface FollowsMeetings {
  followMeeting(
    ctx: CallerContext,
    event: CalendarEvent,
    transcript_id: string,
  ): Promise<FollowUp | undefined>;
}
