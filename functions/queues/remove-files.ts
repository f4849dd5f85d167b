import { type RemovedAvatar, removeAvatar } from '#shared/domain/collaboration/avatars/remove.ts';
import { type RemovedFile, removeBytes } from '#shared/domain/work/files/remove-bytes.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import { consume } from '#shared/queues/consume.ts';

/** Queue `remove-files`: removes the bytes of deleted files and replaced pictures, and of those that were never stored. */
export const handler = consume<RemovedFile | RemovedAvatar>('remove-files', (ctx, removed) =>
  'avatar_id' in removed
    ? removeAvatar(ctx, bucketOf(ctx), removed)
    : removeBytes(ctx, bucketOf(ctx), removed),
);
