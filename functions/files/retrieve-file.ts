import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { fileSchema } from '#shared/domain/work/files/file.ts';
import { retrieveWholeFile } from '#shared/domain/work/files/store.ts';

export const retrieveFile = route('retrieveFile', {
  method: 'GET',
  path: '/files/{id}',
  access: 'read',
  summary: 'Retrieve a file',
  returns: { 200: { file: fileSchema } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  retrieveFile,
  async ({ ctx, params }) => ({ file: await retrieveWholeFile(ctx, params.id) }),
  { ...visibility, ...replies },
);
