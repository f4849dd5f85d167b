import { type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import type { File } from './file.ts';

/** The job that removes the bytes of a file. Apart from the work itself, so that requests bundle no client of the bucket. */

type Removal = Pick<File, 'id' | 'account_id'>;

/** Milliseconds in which a delivery that began before stores what it has: also one that was ended and begins again. */
const ARRIVING = 86_400_000;

export const removalOfBytes = ({ id, account_id }: Removal, now: Date): Job =>
  newJob('remove-files', { file_id: id, account_id }, now);

/** Of a file that mail had: what is arriving may have it too. */
export const laterRemoval = (file: Removal, now: Date): Job => ({
  ...removalOfBytes(file, now),
  ...{ due: now.getTime() + ARRIVING, sends: 0 },
});
