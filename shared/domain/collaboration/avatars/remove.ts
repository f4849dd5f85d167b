import type { Context } from '#shared/context.ts';
import { complete } from '#shared/domain/platform/jobs/job.ts';
import { type Bucket, objectKeys } from '#shared/providers/files/bucket.ts';

/** The body of a message of the queue `remove-files` about the picture of a user. */
export interface RemovedAvatar {
  job_id: string;
  account_id: string;
  avatar_id: string;
}

/** Removes a picture that was replaced or never stored: no user has its id, and none will. Idempotent. */
export async function removeAvatar(
  { table }: Context,
  bucket: Bucket,
  { job_id, account_id, avatar_id }: RemovedAvatar,
): Promise<void> {
  await bucket.delete(objectKeys.avatar(account_id, avatar_id));
  await table.transact([complete(job_id)]);
}
