import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { isAdmin } from '#shared/domain/identity/users/policy.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import { isThere, type RecordItem } from './live.ts';

/**
 * Who sees a record with a visibility, and who edits it (docs/specification/records.md, "Visibility"). Rights add up: a
 * share takes nothing away.
 */

export type Access = 'view' | 'edit';

/** A share of the record, with a user or a group. */
interface Opened {
  user_id: string | null;
  group_id: string | null;
  access: Access;
}

export type GuardedItem = RecordItem & {
  id: string;
  account_id: string;
  /** Its owner; null for what came with mail, which belongs to mailboxes. */
  user_id: string | null;
  assigned_user_id?: string | null;
  /** `linked`: for the users who see a record that it is linked to. */
  visibility: 'account' | 'private' | 'linked';
  /** By the id of the share. */
  shares?: Record<string, Opened>;
  /** The users who see it because it names them, for types that name people. */
  invited_user_ids?: string[];
  /** The users who pinned it, for types that can be pinned. */
  pinned_by?: Set<string>;
  /** Counts the changes of the mails that have it, for files that came with mail. */
  carried?: number;
  /** Counts the changes of its lists by what is stored elsewhere: members of groups, records that it is linked to. */
  relisted?: number;
};

/** What decides about access. */
export type Guarded = Pick<
  GuardedItem,
  'user_id' | 'assigned_user_id' | 'visibility' | 'shares' | 'invited_user_ids'
>;

type Reader = Pick<User, 'id' | 'role' | 'group_ids'>;

const isOwn = ({ user_id, assigned_user_id }: Guarded, user: Reader) =>
  user_id === user.id || assigned_user_id === user.id;

function sharesFor({ shares = {} }: Guarded, user: Reader): Opened[] {
  return Object.values(shares).filter(
    (share) => share.user_id === user.id || (share.group_id !== null && user.group_ids?.has(share.group_id)),
  );
}

/** How it is shared with the user: each way once. */
export function waysOfSharing(record: Guarded, user: Reader): ('direct' | 'group')[] {
  const ways = sharesFor(record, user).map((share) => (share.user_id === null ? 'group' : 'direct'));
  return [...new Set(ways)].sort();
}

/** Undefined for a user who does not see the record. `by_link`: the user sees a record that it is linked to. */
export function accessOf(record: Guarded, user: Reader, by_link = false): Access | undefined {
  if (record.visibility === 'account' || isOwn(record, user)) return 'edit';
  if (record.visibility === 'linked' && by_link) return 'edit';
  const shares = sharesFor(record, user);
  if (shares.length === 0) return record.invited_user_ids?.includes(user.id) ? 'view' : undefined;
  return isAdmin(user) || shares.some(({ access }) => access === 'edit') ? 'edit' : 'view';
}

/** Whether a user sees a record that this one is linked to; for types with links. */
export type SeesLink<R> = (record: R) => Promise<boolean>;

/** The access of a user; links are read only when they decide. */
export async function accessThrough<R extends Guarded>(
  record: R,
  user: Reader,
  seesLink: SeesLink<R> | undefined,
): Promise<Access | undefined> {
  const access = accessOf(record, user);
  if (access === 'edit' || record.visibility !== 'linked' || !seesLink) return access;
  return accessOf(record, user, await seesLink(record));
}

/** Whether it is a record of the account in its own right: neither merged into another nor being deleted. */
export function isCurrent<R extends GuardedItem>(record: R | undefined, { account }: Caller): record is R {
  return isThere(record) && record.merged_into === undefined && record.account_id === account.id;
}

/** Those of several records that the caller sees without a record that they are linked to. */
export async function visibleRecords<R extends GuardedItem>(
  { table, caller }: Pick<CallerContext, 'table' | 'caller'>,
  type: RecordType,
  ids: string[],
): Promise<R[]> {
  const read = await table.getMany<R>([...new Set(ids)].map((id) => keys.record(type, id)));
  return read.filter((record) => isCurrent(record, caller) && accessOf(record, caller.user) !== undefined);
}

/** A record that the caller sees. */
export async function loadRecord<R extends GuardedItem>(
  { table, caller }: CallerContext,
  type: RecordType,
  id: string,
  seesLink?: SeesLink<R>,
): Promise<R | undefined> {
  const record = await table.get<R>(keys.record(type, id));
  if (!isCurrent(record, caller)) return undefined;
  return (await accessThrough(record, caller.user, seesLink)) ? record : undefined;
}

/** 404 for any other. */
export async function requireRecord<R extends GuardedItem>(
  ctx: CallerContext,
  type: RecordType,
  id: string,
  seesLink?: SeesLink<R>,
): Promise<R> {
  const record = await loadRecord(ctx, type, id, seesLink);
  if (!record) throw recordNotFound();
  return record;
}

/**
 * A record that the caller may change. 404 for a hidden one, 403 for one that the caller may only look at, 412 for
 * another version than the request expects.
 */
export async function requireEditable<R extends GuardedItem>(
  ctx: CallerContext,
  type: RecordType,
  id: string,
  seesLink?: SeesLink<R>,
): Promise<R> {
  const record = await requireRecord(ctx, type, id, seesLink);
  const access = await accessThrough(record, ctx.caller.user, seesLink);
  if (access !== 'edit') throw new ApiError('permission_denied');
  requireVersion(ctx, id, record);
  return record;
}

/** 403 `permission_denied` for a user who may only look at the record. */
export function requireEdit(record: Guarded, user: Reader): void {
  if (accessOf(record, user) !== 'edit') throw new ApiError('permission_denied');
}

/** Only the owner and admins make a record private: 403 `permission_denied` for others. */
export function requireVisibilityRight(
  record: Guarded,
  user: Reader,
  visibility: GuardedItem['visibility'],
): void {
  if (visibility !== 'private' || visibility === record.visibility) return;
  if (record.user_id !== user.id && !isAdmin(user)) throw new ApiError('permission_denied');
}
