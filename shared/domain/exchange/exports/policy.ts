import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { recordNotFound } from '#shared/errors.ts';
import type { RecordExport } from './export.ts';
import { findExport } from './store.ts';

/** An export of the caller; 404 for any other: it has what its user saw. */
export async function requireExport({ table, caller }: CallerContext, id: string): Promise<RecordExport> {
  const found = await findExport(table, caller.user.id, id);
  if (found?.account_id !== caller.account.id) throw recordNotFound();
  return found;
}
