import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { isFinished, type RecordImport } from './import.ts';
import { findImport } from './store.ts';

/** An import of the caller; 404 for any other: its file may be of records that others, also admins, do not see. */
export async function requireImport({ table, caller }: CallerContext, id: string): Promise<RecordImport> {
  const found = await findImport(table, caller.user.id, id);
  if (found?.account_id !== caller.account.id) throw recordNotFound();
  return found;
}

/** A dry run that has ended: 422 `import_not_ready` while it runs, and for what has been applied. */
export async function requireApplicable(ctx: CallerContext, id: string): Promise<RecordImport> {
  const found = await requireImport(ctx, id);
  if (!found.dry_run || !isFinished(found)) throw new ApiError('import_not_ready');
  return found;
}
