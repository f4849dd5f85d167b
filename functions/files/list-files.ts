import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { recordPage } from '#shared/api/record-page.ts';
import { route } from '#shared/api/route.ts';
import { forwardCursor, sortedCursorCollection } from '#shared/api/shapes.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { sorting } from '#shared/domain/collaboration/record-lists/filters.ts';
import { fileSchema } from '#shared/domain/work/files/file.ts';
import { fileCriteria, fileFilters, fileSorts } from '#shared/domain/work/files/filters.ts';
import { fileIndex } from '#shared/domain/work/files/lists.ts';
import { seesLinkIn } from '#shared/domain/work/files/policy.ts';
import { knownAroundFiles, presentFile } from '#shared/domain/work/files/store.ts';

export const listFiles = route('listFiles', {
  method: 'GET',
  path: '/files',
  access: 'read',
  summary: 'List files',
  description:
    'The files that the key’s user sees, 50 a page: uploaded ones, and those of the mails that the user may read. A page may be shorter when few files match the filters: continue while `has_more_after` is true.',
  query: {
    ...fileFilters,
    ...sorting(fileSorts),
    order: z.enum(['asc', 'desc']).default('desc'),
    ...forwardCursor,
  },
  returns: { 200: { collection: sortedCursorCollection(fileSchema) } },
  errors: ['record_not_found'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  listFiles,
  async ({ ctx, query }) => {
    const known = knownAroundFiles(ctx);
    const collection = await recordPage(ctx, {
      index: fileIndex(ctx.ports.records),
      query,
      criteria: (granted) => fileCriteria(ctx, query, { ...known, granted }),
      seesLink: seesLinkIn(ctx, known.around),
      present: (files) => Promise.all(files.map((file) => presentFile(ctx, file, known))),
    });
    return { collection };
  },
  visibility,
);
