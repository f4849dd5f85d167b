import type { Context } from '#shared/context.ts';
import { complete } from '#shared/domain/platform/jobs/job.ts';
import { type Bucket, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import type { File } from './file.ts';

/** Removes the bytes of files that no record has: of deleted ones, and of requests that ended before their file was stored. */

/** The body of a message of the queue `remove-files`. */
export interface RemovedFile {
  job_id: string;
  file_id: string;
  account_id: string;
}

/** Idempotent. */
export async function removeBytes(
  { table }: Context,
  bucket: Bucket,
  { job_id, file_id, account_id }: RemovedFile,
): Promise<void> {
  const file = await table.get<File>(keys.record('files', file_id));
  if (!file || file.purging) await bucket.delete(objectKeys.file(account_id, file_id));
  await table.transact([complete(job_id)]);
}
