import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { keeping } from '#shared/composition/keeping.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { tagsFor } from '#shared/domain/collaboration/tags/store.ts';
import { fileChanges, fileSchema } from '#shared/domain/work/files/file.ts';
import { knownAroundFiles, presentFile } from '#shared/domain/work/files/store.ts';
import { updateFile as update } from '#shared/domain/work/files/update.ts';

export const updateFile = route('updateFile', {
  method: 'PATCH',
  path: '/files/{id}',
  access: 'write',
  summary: 'Update a file',
  description:
    'Fields that are not sent stay, `null` clears, and an array replaces the whole array, except links to records that the key’s user does not see. A file of a mail has no visibility of its own.',
  body: { file: fileChanges },
  examples: { body: { file: { name: 'Offer of March', description: null } } },
  returns: { 200: { file: fileSchema } },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  updateFile,
  async ({ ctx, params, body }) => {
    const file = await update(ctx, params.id, body.file);
    return { file: await presentFile(ctx, file, knownAroundFiles(ctx, tagsFor(ctx, [file]))) };
  },
  { ...recordLists, ...keeping },
);
