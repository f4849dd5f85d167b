import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { countUpTo } from '#shared/api/shapes.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { countRecords } from '#shared/domain/collaboration/record-lists/count.ts';
import { fileCriteria, fileFilters } from '#shared/domain/work/files/filters.ts';
import { fileIndex } from '#shared/domain/work/files/lists.ts';
import { seesLinkIn } from '#shared/domain/work/files/policy.ts';
import { knownAroundFiles } from '#shared/domain/work/files/store.ts';
import { countSchema } from '#shared/values.ts';

export const countFiles = route('countFiles', {
  method: 'GET',
  path: '/files/count',
  access: 'read',
  summary: 'Count files',
  description:
    'Counts the files of the list with the same filters. Exact without `cap`; counting stops at the cap.',
  query: { ...fileFilters, ...countUpTo },
  returns: { 200: { count: countSchema } },
  errors: ['record_not_found'],
  uses: ['table:read'],
});

export const handler = handle(
  countFiles,
  async ({ ctx, query }) => {
    const known = knownAroundFiles(ctx);
    const criteria = await fileCriteria(ctx, query, known);
    const index = fileIndex(ctx.ports.records);
    const seesLink = seesLinkIn(ctx, known.around);
    return { count: await countRecords(ctx, { index, criteria, seesLink }, query.cap) };
  },
  visibility,
);
