import { createHash } from 'node:crypto';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { ApiError } from '#shared/errors.ts';
import { type Bucket, objectKeys } from '#shared/providers/files/bucket.ts';
import { mustExist, type Write } from '#shared/table/table.ts';
import type { Upload } from './upload.ts';

/** The bytes of uploads become those of something else: under another key, which no link can write to. */

/** Milliseconds in which the request that stores what has the bytes has ended, whatever happens to it. */
const STORED_WITHIN = 15 * 60_000;

/** A job that removes bytes, in the table before they are. Storing what has them completes it. */
export const unlessStored = (removal: Job, now: Date): Job => ({
  ...removal,
  due: now.getTime() + STORED_WITHIN,
  sends: 0,
});

/** The bytes stay: the job that would have removed them ends. Fails when it has run. */
export const keeping = ({ PK, SK }: Job): Write => ({ delete: { PK, SK }, when: mustExist });

async function sha256Of(bucket: Bucket, key: string, size: number): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of bucket.read(key, 0, size)) hash.update(bytes);
  return hash.digest('hex');
}

/**
 * Copies the bytes first, then checks the copy: the link for sending them may still work. 422 `upload_incomplete` when
 * there are none, or others than announced.
 */
export async function keepBytes(bucket: Bucket, upload: Upload, key: string): Promise<void> {
  const copied = await bucket.copy(objectKeys.upload(upload.id), key);
  const complete =
    copied &&
    (await bucket.size(key)) === upload.size &&
    (upload.sha256 === undefined || (await sha256Of(bucket, key, upload.size)) === upload.sha256);
  if (!complete) throw new ApiError('upload_incomplete');
}
