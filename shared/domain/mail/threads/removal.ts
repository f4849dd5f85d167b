import { type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import type { Message } from './thread.ts';

/** The job that removes what a purged message had besides its item. Apart from the work itself, which needs the bucket. */

/** The body of a message of the queue `remove-files`. */
export interface RemovedMail {
  job_id: string;
  account_id: string;
  message_id: string;
  attachment_ids: string[];
  file_ids: string[];
}

/** The next sweep sends it. */
export function removalOfMail({ account_id, id, attachments }: Message, now: Date): Job {
  const body: Omit<RemovedMail, 'job_id'> = {
    ...{ account_id, message_id: id },
    attachment_ids: attachments.map((each) => each.id),
    file_ids: [...new Set(attachments.map(({ file_id }) => file_id))],
  };
  return { ...newJob('remove-files', body, now), due: now.getTime(), sends: 0 };
}
