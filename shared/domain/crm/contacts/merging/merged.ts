import { mergeCustomFields } from '#shared/domain/collaboration/records/custom-fields.ts';
import { withShares } from '#shared/domain/collaboration/shares/dependent.ts';
import { type StoredShare, shareIdOf } from '#shared/domain/collaboration/shares/share.ts';
import { fitting } from '#shared/domain/crm/details/size.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { nextMoment } from '#shared/next-moment.ts';
import type { Contact } from '../contact.ts';
import { nameOf } from '../name.ts';
import { entriesOfBoth } from './entries.ts';
import { type FieldSides, singleValues } from './fields.ts';

/** What becomes of two contacts (docs/specification/records.md, "Merging contacts"). */

/** Only its address names it. */
const isUnnamed = ({ name, email_addresses }: Contact) => name === nameOf({ email_addresses });

/** A computed name follows its sources, as in updates. */
function nameAfter(survivor: Contact, gone: Contact, after: Contact, { name }: FieldSides): string {
  if (name) return (name === 'this' ? survivor : gone).name;
  if (isUnnamed(survivor)) return isUnnamed(gone) ? survivor.name : gone.name;
  const isComputed = survivor.name === nameOf({ ...survivor, name: null });
  return (isComputed && nameOf({ ...after, name: null })) || survivor.name;
}

const sharedRecord = ({ id, user_id, shares }: Contact) => ({
  type: 'contacts' as const,
  id,
  user_id,
  shares,
});

/** Whoever owned one of both still edits what they become. */
function withOwner(survivor: Contact, gone: Contact, { caller, now }: CallerContext): Contact['shares'] {
  const { user_id } = gone;
  const share: StoredShare = {
    id: shareIdOf({ type: 'contacts', id: survivor.id }, user_id),
    user_id,
    group_id: null,
    access: 'edit',
    shared_by_user_id: caller.user.id,
    created_at: now.toISOString(),
  };
  return withShares(sharedRecord(survivor), [share]);
}

/**
 * The survivor with everything of the other contact's own item. 400 `too_long` when a list has too many entries or the
 * whole is too large.
 */
export function mergedContact(
  ctx: CallerContext,
  survivor: Contact,
  gone: Contact,
  fields: FieldSides,
): Contact {
  const hidden = [survivor, gone].some(({ visibility }) => visibility === 'private');
  const pinned_by = new Set([...(survivor.pinned_by ?? []), ...(gone.pinned_by ?? [])]);
  const memberships = { ...gone.memberships, ...survivor.memberships };
  const after: Contact = {
    ...survivor,
    ...singleValues(survivor, gone, fields),
    ...entriesOfBoth(survivor, gone),
    custom_fields: mergeCustomFields(gone.custom_fields, JSON.parse(survivor.custom_fields)),
    visibility: hidden ? 'private' : 'account',
    ...(hidden ? { shares: withOwner(survivor, gone, ctx) } : {}),
    ...(pinned_by.size > 0 ? { pinned_by } : {}),
    ...(Object.keys(memberships).length > 0 ? { memberships } : {}),
    merged_ids: [...(survivor.merged_ids ?? []), gone.id, ...(gone.merged_ids ?? [])],
    updated_at: nextMoment(survivor, ctx.now),
  };
  return fitting({ ...after, name: nameAfter(survivor, gone, after, fields) }, 'contact');
}

/** The merged contact as it is once its dependents have moved. */
export function withDependents(after: Contact, { tag_ids, shares }: Contact): Contact {
  const all = new Set([...(after.tag_ids ?? []), ...(tag_ids ?? [])]);
  return {
    ...after,
    ...(all.size > 0 ? { tag_ids: all } : {}),
    shares: withShares(sharedRecord(after), Object.values(shares)),
  };
}
