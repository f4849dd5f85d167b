import type { Shareable, ShareKind, SharesRecords } from '#shared/domain/collaboration/shares/kind.ts';
import { existingShare, planShare } from '#shared/domain/collaboration/shares/plan.ts';
import { requireShareable, requireSharer } from '#shared/domain/collaboration/shares/policy.ts';
import { type StoredShare, shareIdOf } from '#shared/domain/collaboration/shares/share.ts';
import { onlyUser } from '#shared/domain/collaboration/shares/target.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireActiveUser } from '#shared/domain/identity/users/policy.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireAnswerable, requireWithdrawable } from './policy.ts';
import { isPending, type ShareRequest, typeOf } from './request.ts';
import { changedRequestWrites } from './writes.ts';

/** Of an approval, a denial and a withdrawal at once, one counts. */

type Access = StoredShare['access'];

function answered(
  { caller, now }: CallerContext,
  request: ShareRequest,
  answer: Pick<ShareRequest, 'status' | 'share_id'>,
): ShareRequest {
  const at = nextMoment(request, now);
  return { ...request, ...answer, answered_by_user_id: caller.user.id, answered_at: at, updated_at: at };
}

/** What the requester has then: as if the caller had shared it, and nothing less than before. */
function shareFor(
  { caller, now }: CallerContext,
  { kind, shareable }: { kind: ShareKind; shareable: Shareable },
  request: ShareRequest,
  access: Access,
): StoredShare {
  const target = { user_id: request.user_id, group_id: null };
  const existing = existingShare(shareable, target);
  if (existing)
    return {
      ...(kind.joined?.(existing, shareable) ?? existing),
      access: existing.access === 'edit' ? 'edit' : access,
    };
  return {
    id: shareIdOf(shareable.record, request.user_id),
    ...target,
    access,
    ...shareable.opens,
    shared_by_user_id: caller.user.id,
    share_request_id: request.id,
    created_at: now.toISOString(),
  };
}

/** Shares what the caller may share, in one transaction with the answer. 404 when the record or who asks is gone. */
export function approveRequest(
  ctx: CallerContext<SharesRecords & KeepsLists>,
  id: string,
  access: Access,
): Promise<ShareRequest> {
  return retryOnConflict(async () => {
    const request = await requireAnswerable(ctx, id);
    const [{ kind, shareable }, requester] = await Promise.all([
      requireShareable(ctx, { type: typeOf(request), id: request.record_id }),
      requireActiveUser(ctx.table, ctx.caller.account.id, request.user_id),
    ]);
    requireSharer(shareable);
    await kind.keep?.(ctx, shareable.record.id);
    const share = shareFor(ctx, { kind, shareable }, request, access);
    const after = answered(ctx, request, { status: 'approved', share_id: share.id });
    const given = await planShare(ctx, { kind, shareable, share, behind: onlyUser(requester.id) });
    await commit(ctx, together(changedRequestWrites(request, after), given));
    return after;
  });
}

export function denyRequest(ctx: CallerContext, id: string): Promise<ShareRequest> {
  return retryOnConflict(async () => {
    const request = await requireAnswerable(ctx, id);
    const after = answered(ctx, request, { status: 'denied', share_id: null });
    await ctx.table.transact(changedRequestWrites(request, after));
    return after;
  });
}

export const withdrawn = (request: ShareRequest, now: Date): ShareRequest => ({
  ...request,
  status: 'withdrawn',
  updated_at: nextMoment(request, now),
});

/** A second time, nothing changes. */
export function withdrawRequest(ctx: CallerContext, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const request = await requireWithdrawable(ctx, id);
    if (!isPending(request)) return;
    await ctx.table.transact(changedRequestWrites(request, withdrawn(request, ctx.now)));
  });
}
