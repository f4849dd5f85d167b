import type { NotificationEvent } from '#shared/domain/collaboration/notifications/event.ts';
import {
  type Notification,
  newNotification,
  notify,
} from '#shared/domain/collaboration/notifications/notification.ts';
import { sendingJobsOf } from '#shared/domain/collaboration/notifications/sending/job.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Change } from '#shared/domain/platform/jobs/commit.ts';
import { type KeepsLists, listJobs } from '#shared/domain/platform/lists/keeper.ts';
import { invalidField } from '#shared/errors.ts';
import { idFrom } from '#shared/ids.ts';
import { at, below, both, missing, sized, update, type Write } from '#shared/table/table.ts';
import type { Shareable, ShareKind } from './kind.ts';
import { presentShare, type StoredShare } from './share.ts';
import { type Behind, targetId } from './target.ts';
import { changeOf, groupRow, type SharedItem, shareIs } from './writes.ts';

/** A share, the access it gives, its notifications and the jobs for the recipients' lists are one change. */

/** docs/specification/people.md, "Shares". */
const MAX_SHARES = 100;

export interface Giving {
  kind: ShareKind;
  shareable: Shareable;
  share: StoredShare;
  behind: Behind;
}

/** The share of the record with the same target. */
export const existingShare = ({ shares }: Shareable, target: Pick<StoredShare, 'user_id' | 'group_id'>) =>
  Object.values(shares).find((share) => targetId(share) === targetId(target));

/**
 * `<type>_shared` to every user behind the share except the actor, each with the record's name as that user sees it.
 */
async function notices(
  { table, caller, now }: CallerContext,
  { kind, shareable, share, behind }: Giving,
): Promise<Notification[]> {
  const { record, label } = shareable;
  const told = behind.user_ids.filter((id) => id !== caller.user.id);
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
export const causeOf = ({ id, created_at }: StoredShare) => idFrom('reindexing of share', id, created_at);

/** Fails when the share is not there as it was read. 400 for one too many. */
function shareWrite({ shareable, share }: Giving, existing: StoredShare | undefined): Write {
  const { id } = share;
  if (!existing && Object.keys(shareable.shares).length >= MAX_SHARES)
    throw invalidField('share', 'invalid', `cannot be added: a record has at most ${MAX_SHARES} shares`);
  return update<SharedItem>(shareable.item, {
    set: { shares: at(id, share) },
    when: existing
      ? shareIs(id, existing)
      : { ...isLive, shares: both(at(id, missing), sized(below(MAX_SHARES))) },
  });
}

/** Gives the share, in the place of the one with the same target. */
export async function planShare(ctx: CallerContext<KeepsLists>, giving: Giving): Promise<Change> {
  const { kind, shareable, share, behind } = giving;
  const existing = existingShare(shareable, share);
  const write = shareWrite(giving, existing);
  const told = await notices(ctx, giving);
  return {
    writes: [
      write,
      ...behind.unchanged,
      ...kind.giving(shareable, share),
      ...(existing ? [] : groupRow(shareable, share, true)),
      ...told.map(notify),
    ],
    jobs: [
      ...listJobs(ctx, changeOf(shareable, behind.user_ids), existing ? undefined : causeOf(share)),
      ...(await sendingJobsOf(ctx, told)),
    ],
  };
}
