import type { NotificationEvent } from '#shared/domain/collaboration/notifications/event.ts';
import { notify } from '#shared/domain/collaboration/notifications/notification.ts';
import { isLive, type RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import {
  type AccessChange,
  type KeepsLists,
  listJobs,
  resumeLists,
} from '#shared/domain/platform/lists/keeper.ts';
import { ApiError, invalidField, recordNotFound } from '#shared/errors.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type AllOf, at, missing, present, type Test, update, type Write } from '#shared/table/table.ts';
import type { Shareable, ShareKind, SharesRecords } from './kind.ts';
import {
  inOrder,
  presentShare,
  type RecordRef,
  type ShareDraft,
  type ShareRecord,
  type StoredShare,
  shareIdOf,
} from './share.ts';
import { requireTarget, targetId, usersBehind } from './target.ts';

/**
 * Shares. A share, what it opens, those who are told of it and the job that brings their lists up to it are one
 * transaction.
 */

/** docs/specification/people.md, "Shares". */
const MAX_SHARES = 100;

async function requireShareable(
  ctx: CallerContext<SharesRecords>,
  ref: RecordRef,
): Promise<{ kind: ShareKind; shareable: Shareable }> {
  const kind = ctx.ports.sharing[ref.type];
  const shareable = await kind?.load(ctx, ref.id);
  if (!kind || !shareable) throw recordNotFound();
  return { kind, shareable };
}

function requireSharer({ may_share }: Shareable): void {
  if (!may_share) throw new ApiError('permission_denied');
}

export async function listShares(ctx: CallerContext<SharesRecords>, ref: RecordRef): Promise<ShareRecord[]> {
  const { shareable } = await requireShareable(ctx, ref);
  const { record, shares, inherited } = shareable;
  return [...inOrder(Object.values(shares)).map((share) => presentShare(share, record)), ...inherited];
}

type SharedItem = RecordItem & { shares: Record<string, StoredShare> };

const shareIs = (id: string, there: Test): AllOf<SharedItem> => ({ ...isLive, shares: at(id, there) });

/** A group knows what is shared with it, so that all of it ends with the group. */
function groupRow({ record, account_id }: Shareable, { group_id }: StoredShare, given: boolean): Write[] {
  if (group_id === null) return [];
  const { PK, SK } = keys.groupShare(group_id, record.type, record.id);
  if (!given) return [{ delete: { PK, SK } }];
  return [{ put: { PK, SK, account_id, record_type: record.type, record_id: record.id } }];
}

interface Giving {
  kind: ShareKind;
  shareable: Shareable;
  share: StoredShare;
  user_ids: string[];
}

/** `<type>_shared` to everyone behind the share but the actor, each with the record's name as that user sees it. */
async function notices(
  { table, caller, now }: CallerContext,
  { kind, shareable, share, user_ids }: Giving,
): Promise<Write[]> {
  const { record, label } = shareable;
  const told = user_ids.filter((id) => id !== caller.user.id);
  const labels = await kind.labelsFor?.(table, shareable, share, told);
  const record_type = singular(record.type);
  const event = `${record_type}_shared` as NotificationEvent;
  const common = { id: record.id, record_type, share: presentShare(share, record) };
  return told.map((user_id) => {
    const payload = { ...common, ...(label ?? labels?.get(user_id)) };
    return notify({ user_id, event, payload, prompting_user_id: caller.user.id }, now);
  });
}

/** Why lists change after a share: sharing again sends what is left of their jobs again. */
const causeOf = ({ id, created_at }: StoredShare) => idFrom('reindexing of share', id, created_at);

const changeOf = ({ account_id, record }: Shareable, user_ids: string[]): AccessChange => ({
  account_id,
  record,
  user_ids,
});

/** The share that is there already is given back unchanged. */
export function createShare(
  ctx: CallerContext<SharesRecords & KeepsLists>,
  ref: RecordRef,
  draft: ShareDraft,
): Promise<ShareRecord> {
  const target = { user_id: draft.user_id ?? null, group_id: draft.group_id ?? null };
  return retryOnConflict(async () => {
    const [{ kind, shareable }, user_ids] = await Promise.all([
      requireShareable(ctx, ref),
      requireTarget(ctx, target),
    ]);
    requireSharer(shareable);
    const { record, shares, opens } = shareable;
    const id = shareIdOf(record, targetId(target));
    const existing = Object.values(shares).find((share) => targetId(share) === targetId(target));
    if (existing) {
      await resumeLists(ctx, causeOf(existing));
      return presentShare(existing, record);
    }
    if (Object.keys(shares).length >= MAX_SHARES)
      throw invalidField('share', 'invalid', `cannot be added: a record has at most ${MAX_SHARES} shares`);
    const share: StoredShare = {
      id,
      ...target,
      access: draft.access,
      ...opens,
      shared_by_user_id: ctx.caller.user.id,
      created_at: ctx.now.toISOString(),
    };
    const told = await notices(ctx, { kind, shareable, share, user_ids });
    await commit(ctx, {
      writes: [
        update<SharedItem>(shareable.item, { set: { shares: at(id, share) }, when: shareIs(id, missing) }),
        ...kind.giving(shareable, share),
        ...groupRow(shareable, share, true),
        ...told,
      ],
      jobs: listJobs(ctx, changeOf(shareable, user_ids), causeOf(share)),
    });
    return presentShare(share, record);
  });
}

/** 404 when the record has no such share, 422 `share_is_inherited` when it is another record's. */
function requireShare({ shares, inherited }: Shareable, id: string): StoredShare {
  const share = shares[id];
  if (share) return share;
  if (inherited.some((each) => each.id === id)) throw new ApiError('share_is_inherited');
  throw recordNotFound();
}

export function updateShare(
  ctx: CallerContext<SharesRecords>,
  ref: RecordRef,
  id: string,
  { access }: Pick<StoredShare, 'access'>,
): Promise<ShareRecord> {
  return retryOnConflict(async () => {
    const { kind, shareable } = await requireShareable(ctx, ref);
    const share = { ...requireShare(shareable, id), access };
    requireSharer(shareable);
    await ctx.table.transact([
      update<SharedItem>(shareable.item, {
        set: { shares: at(id, at('access', access)) },
        when: shareIs(id, present),
      }),
      ...kind.giving(shareable, share),
    ]);
    return presentShare(share, shareable.record);
  });
}

/** What it opened is hidden from the moment on at which this is written. */
export function deleteShare(
  ctx: CallerContext<SharesRecords & KeepsLists>,
  ref: RecordRef,
  id: string,
): Promise<void> {
  return retryOnConflict(async () => {
    const { kind, shareable } = await requireShareable(ctx, ref);
    const share = requireShare(shareable, id);
    requireSharer(shareable);
    const user_ids = await usersBehind(ctx, share);
    await commit(ctx, {
      writes: [
        update<SharedItem>(shareable.item, { remove: [['shares', id]], when: shareIs(id, present) }),
        ...kind.taking(shareable, share),
        ...groupRow(shareable, share, false),
      ],
      jobs: listJobs(ctx, changeOf(shareable, user_ids)),
    });
  });
}
