import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { keeping } from '#shared/composition/keeping.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { tagsFor } from '#shared/domain/collaboration/tags/store.ts';
import { createFile as create } from '#shared/domain/work/files/create.ts';
import { fileDraft, fileSchema } from '#shared/domain/work/files/file.ts';
import { knownAroundFiles, presentFile } from '#shared/domain/work/files/store.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';

export const createFile = route('createFile', {
  method: 'POST',
  path: '/files',
  access: 'write',
  summary: 'Create a file',
  description:
    'Uses an upload of the key’s user whose bytes have been sent. Without a visibility it is seen by who sees a linked record, and private without links.',
  body: { file: fileDraft },
  examples: {
    body: {
      file: {
        upload_id: '0198c0de-0000-7000-8000-000000000020',
        deal_ids: ['0198c0de-0000-7000-8000-000000000010'],
      },
    },
  },
  returns: { 201: { file: fileSchema } },
  errors: [
    'record_not_found',
    'upload_already_used',
    'file_too_large',
    'upload_incomplete',
    'storage_unavailable',
  ],
  uses: [
    'table:write',
    'queue:index-records',
    'bucket:read-uploads',
    'bucket:read-files',
    'bucket:write-files',
  ],
  versioned: true,
});

export const handler = handle(
  createFile,
  async ({ ctx, body }) => {
    const file = await create(ctx, bucketOf(ctx), body.file);
    return { file: await presentFile(ctx, file, knownAroundFiles(ctx, tagsFor(ctx, [file]))) };
  },
  { ...recordLists, ...keeping },
);
