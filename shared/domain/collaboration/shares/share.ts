import * as z from 'zod';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import { idFrom } from '#shared/ids.ts';
import type { RecordType } from '#shared/table/keys.ts';
import { refuse, timestamp, uuid } from '#shared/values.ts';

/** A share as stored, in the `shares` of its record by its id. Exactly one of `user_id` and `group_id` is set. */
export interface StoredShare {
  id: string;
  user_id: string | null;
  group_id: string | null;
  access: 'view' | 'edit';
  shared_by_user_id: string | null;
  created_at: string;
}

/** Shown of each thread of a list: each mailbox that a thread came through may have a hundred of them. */
export const SHARES_IN_LISTS = 500;

const access = z.enum(['view', 'edit']);

/** docs/specification/people.md, "Shares". */
export const shareRecord = z
  .strictObject({
    id: uuid,
    record_type: z.string().meta({ example: 'thread' }),
    record_id: uuid,
    user_id: uuid.nullable(),
    group_id: uuid.nullable(),
    access,
    source: z.enum(['direct', 'mailbox', 'space', 'share_request']),
    shared_by_user_id: uuid.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Share' });

export type ShareRecord = z.infer<typeof shareRecord>;

export const shareDraft = z
  .object({ user_id: uuid.optional(), group_id: uuid.optional(), access: access.default('view') })
  .check((context) => {
    const { user_id, group_id } = context.value;
    if (user_id === undefined && group_id === undefined)
      refuse(context, 'required', 'needs a user_id or a group_id');
    if (user_id !== undefined && group_id !== undefined)
      refuse(context, 'invalid', 'takes either a user_id or a group_id');
  })
  .meta({ id: 'ShareDraft' });

export type ShareDraft = z.infer<typeof shareDraft>;

export const shareChanges = z.object({ access }).meta({ id: 'ShareChanges' });

export interface RecordRef {
  type: RecordType;
  id: string;
}

/** A record is shared with somebody once: the id says with whom. */
export function shareIdOf(record: RecordRef, target: string): string {
  return idFrom('share', record.type, record.id, target);
}

/** The id of what a share of `from` opens on the record. */
function inheritedId(record: RecordRef, share: StoredShare): string {
  return idFrom('inherited share', record.type, record.id, share.id);
}

export function presentShare(
  share: StoredShare,
  record: RecordRef,
  source: ShareRecord['source'] = 'direct',
): ShareRecord {
  return {
    id: source === 'direct' ? share.id : inheritedId(record, share),
    record_type: singular(record.type),
    record_id: record.id,
    user_id: share.user_id,
    group_id: share.group_id,
    access: share.access,
    source,
    shared_by_user_id: share.shared_by_user_id,
    created_at: share.created_at,
  };
}

/** Oldest first. */
export function inOrder(shares: StoredShare[]): StoredShare[] {
  return shares.toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? -1 : 1));
}
