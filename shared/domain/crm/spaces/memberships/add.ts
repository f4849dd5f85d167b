import { requireRecord } from '#shared/domain/collaboration/records/policy.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import { MAX_SPACES, type Membership, spacesAddedTo } from '#shared/domain/crm/details/memberships.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { ApiError, invalidField } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireEditableSpace } from '../policy.ts';
import { inFamily, type ListedMember, type MemberFamily, membershipChange } from './families.ts';
import { type MemberRef, type MembershipRecord, presentMembership } from './membership.ts';
import { fullAmong, MAX_MEMBERS } from './room.ts';

type Ctx = CallerContext<KeepsLists>;

/** 400 when the space or the record has no room for one more. */
function requireRoom<R extends ListedMember>(
  { index, isFull }: MemberFamily<R>,
  member: R,
  full: string[],
): void {
  const field = `${singular(index.type)}_id`;
  if (spacesAddedTo(member).length >= MAX_SPACES || isFull(member))
    throw invalidField(field, 'too_long', `cannot be in more spaces, of which ${MAX_SPACES} are the most`);
  if (full.length > 0)
    throw invalidField(field, 'too_long', `is one record too many: a space has at most ${MAX_MEMBERS}`);
}

async function add<R extends ListedMember>(
  ctx: Ctx,
  space_id: string,
  family: MemberFamily<R>,
  id: string,
): Promise<Membership> {
  const [space, before, { full, writes }] = await Promise.all([
    requireEditableSpace(ctx, space_id),
    requireRecord<R>(ctx, family.index.type, id),
    fullAmong(ctx, [space_id]),
  ]);
  if (space.kind === 'tags') throw new ApiError('space_is_tag_based');
  const there = before.memberships?.[space_id];
  if (there) return there;
  requireRoom(family, before, full);
  const membership = {
    id: newId(ctx.now),
    user_id: ctx.caller.user.id,
    created_at: ctx.now.toISOString(),
  };
  const joining = { space_id, membership, also: writes };
  await commit(ctx, await membershipChange(ctx, family, before, joining));
  return membership;
}

/**
 * Adds a record to a space; the membership that exists already, unchanged. 404 for a space or a record that the caller
 * does not see, 403 for a space that the caller may only look at, 422 `space_is_tag_based`.
 */
export function addMember(ctx: Ctx, space_id: string, ref: MemberRef): Promise<MembershipRecord> {
  return retryOnConflict(async () => {
    const membership = await inFamily(ref.type, (family) => add(ctx, space_id, family, ref.id));
    return presentMembership(space_id, ref, membership);
  });
}
