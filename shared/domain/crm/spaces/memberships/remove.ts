import { requireRecord } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { recordNotFound } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireEditableSpace } from '../policy.ts';
import { inFamily, type ListedMember, type MemberFamily, membershipChange } from './families.ts';
import { findMember } from './store.ts';

type Ctx = CallerContext<KeepsLists>;

interface Removal {
  space_id: string;
  id: string;
  member_id: string;
}

async function remove<R extends ListedMember>(
  ctx: Ctx,
  family: MemberFamily<R>,
  { space_id, id, member_id }: Removal,
): Promise<void> {
  const before = await requireRecord<R>(ctx, family.index.type, member_id);
  if (before.memberships?.[space_id]?.id !== id) throw recordNotFound();
  await commit(ctx, await membershipChange(ctx, family, before, { space_id }));
}

/**
 * Takes a record out of a space. 404 for a space that the caller does not see, and for a membership that does not exist
 * or is of a hidden record; 403 for a space that the caller may only look at.
 */
export function removeMember(ctx: Ctx, space_id: string, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const [, member] = await Promise.all([
      requireEditableSpace(ctx, space_id),
      findMember(ctx.table, space_id, id),
    ]);
    if (!member) throw recordNotFound();
    await inFamily(member.type, (family) => remove(ctx, family, { space_id, id, member_id: member.id }));
  });
}
