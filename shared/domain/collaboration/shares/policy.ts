import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import type { Shareable, ShareKind, SharesRecords } from './kind.ts';
import type { RecordRef, StoredShare } from './share.ts';

/** Every user who sees a record sees its shares; who may share it is a rule of the record's family (kind.ts). */

/** 404 for a record that the caller does not see, or that cannot be shared. */
export async function requireShareable(
  ctx: CallerContext<SharesRecords>,
  ref: RecordRef,
): Promise<{ kind: ShareKind; shareable: Shareable }> {
  const kind = ctx.ports.sharing[ref.type];
  const shareable = await kind?.load(ctx, ref.id);
  if (!kind || !shareable) throw recordNotFound();
  return { kind, shareable };
}

/** 403 for a record that the caller may not share. */
export function requireSharer({ may_share }: Shareable): void {
  if (!may_share) throw new ApiError('permission_denied');
}

/** 404 when the record has no such share, 422 `share_is_inherited` when it belongs to another record. */
export function requireShare({ shares, inherited }: Shareable, id: string): StoredShare {
  const share = shares[id];
  if (share) return share;
  if (inherited.some((each) => each.id === id)) throw new ApiError('share_is_inherited');
  throw recordNotFound();
}
