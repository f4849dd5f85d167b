import { type RemovedFile, removeBytes } from '#shared/domain/work/files/remove-bytes.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import { consume } from '#shared/queues/consume.ts';

/** Queue `remove-files`: removes the bytes of deleted files, and of those that were never stored. */
export const handler = consume<RemovedFile>('remove-files', (ctx, removed) =>
  removeBytes(ctx, bucketOf(ctx), removed),
);
