import type { Caller } from '#shared/domain/identity/caller.ts';
import type { Table } from '#shared/table/table.ts';
import { findWithAccount } from './store.ts';

/**
 * The caller for background work on behalf of a user, with the user's current access; undefined when the user or the
 * account is no longer active.
 */
export async function callerFor(
  table: Table,
  of: { account_id: string; user_id: string },
): Promise<Caller | undefined> {
  const found = await findWithAccount(table, of);
  if (found?.account.status !== 'active' || found.user.status !== 'active') return undefined;
  return { ...found, credential: { kind: 'session', tier: 'read_write', id: found.user.id } };
}
