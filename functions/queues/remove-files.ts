import { type RemovedAvatar, removeAvatar } from '#shared/domain/collaboration/avatars/remove.ts';
import type { RemovedMail } from '#shared/domain/mail/threads/removal.ts';
import { removeMail } from '#shared/domain/mail/threads/remove-mail.ts';
import { type RemovedFile, removeBytes } from '#shared/domain/work/files/remove-bytes.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import { consume } from '#shared/queues/consume.ts';

/**
 * Queue `remove-files`: removes the bytes of deleted files, purged mail and replaced pictures, and of those that were never
 * stored.
 */
export const handler = consume<RemovedFile | RemovedAvatar | RemovedMail>('remove-files', (ctx, removed) => {
  if ('avatar_id' in removed) return removeAvatar(ctx, bucketOf(ctx), removed);
  if ('message_id' in removed) return removeMail(ctx, bucketOf(ctx), removed);
  return removeBytes(ctx, bucketOf(ctx), removed);
});
