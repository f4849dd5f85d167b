import type { Context } from '#shared/context.ts';
import { ifOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { isFinished } from './import.ts';
import { findImport, finishImport } from './store.ts';

/** Marks an import as failed that will not be retried. Imported records stay. */
export async function failImport(ctx: Context, user_id: string, id: string): Promise<void> {
  const found = await findImport(ctx.table, user_id, id);
  if (!found || isFinished(found)) return;
  const error = {
    code: 'import_failed',
    message: 'The import was given up after several tries. Records that it made are there.',
  };
  await ifOvertaken(undefined, () => finishImport(ctx.table, found, error, ctx.clock()));
}
