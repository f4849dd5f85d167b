import { type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import type { File } from './file.ts';

/** The job that removes the bytes of a file. Apart from the work itself, so that requests bundle no client of the bucket. */

type Removal = Pick<File, 'id' | 'account_id'>;

export const removalOfBytes = ({ id, account_id }: Removal, now: Date): Job =>
  newJob('remove-files', { file_id: id, account_id }, now);
