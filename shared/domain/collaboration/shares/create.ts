import type { NotificationEvent } from '#shared/domain/collaboration/notifications/event.ts';
import {
  type Notification,
  newNotification,
  notify,
} from '#shared/domain/collaboration/notifications/notification.ts';
import { sendingJobsOf } from '#shared/domain/collaboration/notifications/sending/job.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { type KeepsLists, listJobs, resumeLists } from '#shared/domain/platform/lists/keeper.ts';
import { invalidField } from '#shared/errors.ts';
import { idFrom } from '#shared/ids.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { at, missing, update } from '#shared/table/table.ts';
import type { Shareable, ShareKind, SharesRecords } from './kind.ts';
import { requireShareable, requireSharer } from './policy.ts';
import {
  presentShare,
  type RecordRef,
  type ShareDraft,
  type ShareRecord,
  type StoredShare,
  shareIdOf,
} from './share.ts';
import { requireTarget, targetId } from './target.ts';
import { changeOf, groupRow, type SharedItem, shareIs } from './writes.ts';

/** docs/specification/people.md, "Shares". */
const MAX_SHARES = 100;

interface Giving {
  kind: ShareKind;
  shareable: Shareable;
  share: StoredShare;
  user_ids: string[];
}

/**
 * `<type>_shared` to every user behind the share except the actor, each with the record's name as that user sees it.
 */
async function notices(
  { table, caller, now }: CallerContext,
  { kind, shareable, share, user_ids }: Giving,
): Promise<Notification[]> {
  const { record, label } = shareable;
  const told = user_ids.filter((id) => id !== caller.user.id);
  const labels = await kind.labelsFor?.(table, shareable, share, told);
  const record_type = singular(record.type);
  const event = `${record_type}_shared` as NotificationEvent;
  const common = { id: record.id, record_type, share: presentShare(share, record) };
  return told.map((user_id) => {
    const payload = { ...common, ...(label ?? labels?.get(user_id)) };
    return newNotification({ user_id, event, payload, prompting_user_id: caller.user.id }, now);
  });
}

/** The cause of the list jobs of a share: sharing again sends the remaining jobs again. */
const causeOf = ({ id, created_at }: StoredShare) => idFrom('reindexing of share', id, created_at);

/** Returns an existing share unchanged. */
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
    await kind.keep?.(ctx, record.id);
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
        ...told.map(notify),
      ],
      jobs: [
        ...listJobs(ctx, changeOf(shareable, user_ids), causeOf(share)),
        ...(await sendingJobsOf(ctx, told)),
      ],
    });
    return presentShare(share, record);
  });
}
