import { type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import type { File } from './file.ts';

/** The jobs that remove the bytes of files. Apart from the work itself, so that requests bundle no client of the bucket. */

type Removal = Pick<File, 'id' | 'account_id'>;

export const removalOfBytes = ({ id, account_id }: Removal, now: Date): Job =>
  newJob('remove-files', { file_id: id, account_id }, now);

/** Milliseconds in which the request that stores a file has ended, whatever happens to it. */
const STORED_WITHIN = 15 * 60_000;

/** Of a file that is being stored, in the table before its bytes. Storing the file completes it. */
export const removalUnlessStored = (file: Removal, now: Date): Job => ({
  ...removalOfBytes(file, now),
  due: now.getTime() + STORED_WITHIN,
  sends: 0,
});
