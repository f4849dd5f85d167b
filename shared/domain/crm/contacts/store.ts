import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Contact } from './contact.ts';
import { contactChange } from './writes.ts';

/** Writes the contact with its addresses and its external id, all or nothing. */
export function insertContact(ctx: CallerContext<KeepsLists>, contact: Contact): Promise<void> {
  return retryOnConflict(async () => commit(ctx, await contactChange(ctx, undefined, contact)));
}
