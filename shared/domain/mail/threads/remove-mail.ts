import { mapAtOnce } from '#shared/at-once.ts';
import type { Context } from '#shared/context.ts';
import { complete } from '#shared/domain/platform/jobs/job.ts';
import { purgeCarried } from '#shared/domain/work/files/purge-carried.ts';
import { type Bucket, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import type { RemovedMail } from './removal.ts';

/** Removes the mail, the large body and the attachments of a purged message, whose id is never used again. */

const AT_ONCE = 8;

/** Idempotent. */
export async function removeMail(
  { table, clock }: Context,
  bucket: Bucket,
  removed: RemovedMail,
): Promise<void> {
  const { job_id, account_id, message_id, attachment_ids, file_ids } = removed;
  await bucket.delete(objectKeys.rawMail(account_id, message_id));
  await bucket.delete(objectKeys.body(account_id, message_id));
  await table.writeMany(attachment_ids.map((id) => ({ delete: keys.attachment(id) })));
  await mapAtOnce(file_ids, AT_ONCE, (id) => purgeCarried(table, id, clock()));
  await table.transact([complete(job_id)]);
}
