import type { Context } from '#shared/context.ts';
import { ifOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { isFinished } from './export.ts';
import { findExport, finishExport } from './store.ts';

/** Marks an export as failed that will not be retried. */
export async function failExport(ctx: Context, user_id: string, id: string): Promise<void> {
  const found = await findExport(ctx.table, user_id, id);
  if (!found || isFinished(found)) return;
  const error = { code: 'export_failed', message: 'The export was given up after several tries.' };
  await ifOvertaken(undefined, () => finishExport(ctx.table, found, { error }, ctx.clock()));
}
