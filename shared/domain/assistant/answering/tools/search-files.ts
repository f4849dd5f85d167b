import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import { type FileFilters, fileCriteria } from '#shared/domain/work/files/filters.ts';
import { fileIndex } from '#shared/domain/work/files/lists.ts';
import { seesLinkIn } from '#shared/domain/work/files/policy.ts';
import { knownAroundFiles, presentFile } from '#shared/domain/work/files/store.ts';
import type { FileRow } from '../other-views.ts';
import { give, type ToolContext } from './context.ts';
import { fileRow } from './read-file.ts';

const FOUND = 20;

/** Files that the user sees, newest first. */
export async function searchFiles(
  ctx: ToolContext,
  filters: FileFilters,
): Promise<{ files: FileRow[]; more: boolean }> {
  const known = knownAroundFiles(ctx);
  const query = {
    index: fileIndex(ctx.ports.records),
    criteria: await fileCriteria(ctx, filters, known),
    sort: 'created_at',
    order: 'desc' as const,
    seesLink: seesLinkIn(ctx, known.around),
  };
  const { rows, next } = await findRecords(ctx, query, { limit: FOUND, after: undefined });
  const files = await Promise.all(rows.map((file) => presentFile(ctx, file, known)));
  give(
    ctx,
    'file',
    files.map(({ id }) => id),
  );
  return { files: files.map(fileRow), more: next !== null };
}
