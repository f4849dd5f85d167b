import type { Context } from '#shared/context.ts';
import type { RecordRef, Seer, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { whoSees } from '#shared/domain/collaboration/records/registry.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';

/**
 * The users who see the record now and what they call it, also when it was merged into another one since. While the
 * merge is under way the old record still tells who sees it, afterwards the new one does.
 */
export async function seers(
  ctx: Context<SeesRecords>,
  record: RecordRef,
  users: User[],
): Promise<Map<string, Seer>> {
  const found = new Map<string, Seer>();
  let id: string | undefined = record.id;
  while (id !== undefined) {
    const stored: RecordItem | undefined = await ctx.table.get(keys.record(record.type, id));
    const next: string | undefined = stored?.merged_into;
    if (next === undefined || stored?.merging)
      for (const seer of await whoSees(ctx, { type: record.type, id }, users)) found.set(seer.user.id, seer);
    id = next;
  }
  return found;
}
