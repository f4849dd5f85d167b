import { type Bucket, objectKeys } from '#shared/providers/files/bucket.ts';
import type { Upload, UploadStatus } from './upload.ts';

/** `expired` when its time passed without bytes; bytes that came in time can be used as long as the bucket keeps them. */
export async function statusOf(bucket: Bucket, upload: Upload, now: Date): Promise<UploadStatus> {
  if (upload.used_at !== undefined) return 'used';
  if ((await bucket.size(objectKeys.upload(upload.id))) !== undefined) return 'received';
  return now.getTime() < Date.parse(upload.expires_at) ? 'pending' : 'expired';
}
