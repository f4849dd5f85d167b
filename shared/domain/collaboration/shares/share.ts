import * as z from 'zod';
import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import { idFrom } from '#shared/ids.ts';
import { apart, defaulted, derived, given, optional, resource, type StoredFields } from '#shared/resource.ts';
import type { RecordType } from '#shared/table/keys.ts';
import { timestamp, uuid } from '#shared/values.ts';

/** Shares shown for each thread of a list: each of its mailboxes may have a hundred. */
export const SHARES_IN_LISTS = 500;

const access = z.enum(['view', 'edit']);

const shares = resource('Share', {
  id: apart(given(uuid)),
  record_type: derived(z.string().meta({ example: 'thread' })),
  record_id: derived(uuid),
  user_id: optional(uuid.optional(), uuid.nullable()),
  group_id: optional(uuid.optional(), uuid.nullable()),
  access: defaulted(access, 'view', access),
  source: derived(z.enum(['direct', 'mailbox', 'space', 'share_request'])),
  shared_by_user_id: given(uuid.nullable()),
  created_at: given(timestamp),
});

/** A share as stored, in the `shares` of its record by its id. Exactly one of `user_id` and `group_id` is set. */
export type StoredShare = StoredFields<typeof shares.fields> & {
  id: string;
  /** The request that it answers. */
  share_request_id?: string;
};

/** What the items of records with an owner and shares have besides their fields. */
export type OwnedItem = RecordItem & {
  account_id: string;
  user_id: string;
  /** By the id of the share. */
  shares: Record<string, StoredShare>;
};

/** docs/specification/people.md, "Shares". */
export const shareSchema = shares.response;

export type ShareRecord = z.infer<typeof shareSchema>;

export const shareDraft = shares.draft.meta({ id: 'ShareDraft' });

export type ShareDraft = z.infer<typeof shareDraft>;

export const shareChanges = z.object({ access }).meta({ id: 'ShareChanges' });

export interface RecordRef {
  type: RecordType;
  id: string;
}

/** A record is shared with a target once: the id is derived from the target. */
export function shareIdOf(record: RecordRef, target: string): string {
  return idFrom('share', record.type, record.id, target);
}

/** The id of the inherited share that a share of `from` gives on the record. */
function inheritedId(record: RecordRef, share: StoredShare): string {
  return idFrom('inherited share', record.type, record.id, share.id);
}

export function presentShare(share: StoredShare, record: RecordRef, through?: 'mailbox'): ShareRecord {
  const own = share.share_request_id === undefined ? 'direct' : 'share_request';
  return shares.present(share, {
    id: through ? inheritedId(record, share) : share.id,
    record_type: singular(record.type),
    record_id: record.id,
    source: through ?? own,
  });
}

/** The shares of a record's own item, oldest first. */
export function presentShares(stored: Record<string, StoredShare>, record: RecordRef): ShareRecord[] {
  return inOrder(Object.values(stored)).map((share) => presentShare(share, record));
}

/** Oldest first. */
export function inOrder(some: StoredShare[]): StoredShare[] {
  return some.toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? -1 : 1));
}
