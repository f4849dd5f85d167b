import type { Context } from '#shared/context.ts';
import { ifOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { findImport, finishImport } from './store.ts';

/** Marks an import as failed that will not be retried. Imported messages stay. */
export async function failImport(ctx: Context, id: string): Promise<void> {
  const found = await findImport(ctx.table, id);
  if (!found || found.finished_at !== null) return;
  const error = {
    code: 'import_failed',
    message:
      'The import was given up after several tries. Import the archive again: what is there is skipped.',
  };
  await ifOvertaken(undefined, () => finishImport(ctx.table, found, error, ctx.clock()));
}
