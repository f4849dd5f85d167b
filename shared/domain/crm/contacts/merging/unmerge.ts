import { isDeepStrictEqual } from 'node:util';
import { tagsAfterReturn } from '#shared/domain/collaboration/tags/dependent.ts';
import { spacesAddedTo } from '#shared/domain/crm/details/memberships.ts';
import { withinSpaces } from '#shared/domain/crm/spaces/memberships/room.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { holderOf } from '#shared/domain/identity/users/holder.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Contact } from '../contact.ts';
import { withinPins } from '../pins.ts';
import { requireComplete, requireEditableContact, requireSeparable, requireSettled } from '../policy.ts';
import { findKeptMerge } from './kept.ts';
import { type Before, restoredContact, survivorWithout } from './parted.ts';
import { separation } from './separation.ts';
import { standingStates } from './standing.ts';

export interface Unmerging {
  /** The contact that survived. */
  survivor: string;
  /** The one that became part of it. */
  gone: string;
}

export interface Unmerged {
  survivor: Contact;
  restored: Contact;
}

/** 422 `later_merge_first` when the survivor got others since, or the contact came by way of another one. */
function requireLast({ after, now }: Before): void {
  if (after.id !== now.id || !isDeepStrictEqual(after.merged_ids, now.merged_ids))
    throw new ApiError('later_merge_first');
}

/** 404 for a contact that is no part of the other one; 409 while one of both moves; 422 after 7 days. */
async function readMerge(ctx: CallerContext, { survivor, gone }: Unmerging): Promise<Before> {
  const [now, pointer, kept] = await Promise.all([
    requireEditableContact(ctx, survivor),
    ctx.table.get<Contact>(keys.record('contacts', gone)),
    findKeptMerge(ctx.table, gone, ctx.now),
  ]);
  if (!now.merged_ids?.includes(gone)) throw recordNotFound();
  requireSettled(now);
  requireComplete(now);
  if (pointer) requireSettled(pointer);
  if (!kept) throw new ApiError('merge_is_final');
  const known = { ...kept, now };
  requireLast(known);
  return known;
}

/** Both contacts once the dependents of the one are back. */
async function withTags({ table }: CallerContext, { survivor, restored }: Unmerged): Promise<Unmerged> {
  const { stays, back } = await tagsAfterReturn(
    table,
    { type: 'contacts', id: survivor.id },
    { type: 'contacts', id: restored.id },
  );
  return {
    survivor: { ...survivor, tag_ids: stays },
    restored: { ...restored, tag_ids: back },
  };
}

/** Users with a pin on each of both, and spaces with both, had one: the other contact has what there is room for. */
async function withRoom(ctx: CallerContext, survivor: Contact, whole: Contact) {
  const users = [...(whole.pinned_by ?? [])].filter((id) => survivor.pinned_by?.has(id));
  const spaces = spacesAddedTo(whole).filter((id) => survivor.memberships?.[id]);
  const pinned = await withinPins(ctx.table, whole, users);
  const { after, writes } = await withinSpaces(ctx, pinned.after, spaces);
  return { restored: after, more: [...writes, ...pinned.writes] };
}

/**
 * Makes two contacts of one again, and returns them as they are once a job has moved back what belongs to the restored
 * one. 404, 403, 409 and 422 as `readMerge` and `requireSeparable`; 409 as `contactChange` when another contact has an
 * address or the external id.
 */
export function unmergeContacts(ctx: CallerContext<KeepsLists>, unmerging: Unmerging): Promise<Unmerged> {
  return retryOnConflict(async () => {
    const merge = await readMerge(ctx, unmerging);
    const [{ former, ...known }, user_id] = await Promise.all([
      standingStates(ctx.table, merge),
      // The owner may have left since.
      holderOf(ctx, merge.gone.user_id),
    ]);
    const survivor = survivorWithout(known, ctx.now);
    const whole = { ...restoredContact(known, ctx.now), user_id };
    requireSeparable([survivor, whole], ctx.caller.user);
    const { restored, more } = await withRoom(ctx, survivor, whole);
    const [change, both] = await Promise.all([
      separation(ctx, { ...known, survivor, restored, former, more }),
      withTags(ctx, { survivor, restored }),
    ]);
    await commit(ctx, change);
    return both;
  });
}
