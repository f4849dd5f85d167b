import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import {
  accessOf,
  loadRecord,
  requireEdit,
  requireEditable,
  requireRecord,
  requireVisibilityRight,
} from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import type { Contact } from './contact.ts';
import { employerIds } from './employer-ids.ts';

/** A contact that the caller sees. */
export const loadContact = (ctx: CallerContext, id: string) => loadRecord<Contact>(ctx, 'contacts', id);

/** 404 for any other. */
export const requireContact = (ctx: CallerContext, id: string) => requireRecord<Contact>(ctx, 'contacts', id);

/** A contact that the caller may change. 404 for a hidden one, 403 for one that the caller may only look at. */
export const requireEditableContact = (ctx: CallerContext, id: string) =>
  requireEditable<Contact>(ctx, 'contacts', id);

/** The organizations of a contact's employments, hidden ones too. 404 for a contact that the caller does not see. */
export const employersOfContact = async (ctx: CallerContext, id: string) =>
  employerIds(await requireContact(ctx, id));

/**
 * 403 `permission_denied` unless the user may edit both contacts, and make both private when one of them is: what it takes
 * to make them one, and to take that back.
 */
function requireRights(both: [Contact, Contact], user: CallerContext['caller']['user']): void {
  const hides = both.some(({ visibility }) => visibility === 'private');
  for (const contact of both) {
    requireEdit(contact, user);
    if (hides) requireVisibilityRight(contact, user, 'private');
  }
}

const inProgress = () => new ApiError('merge_in_progress', { headers: { 'Retry-After': '5' } });

/** 409 while what belongs to the contact is still moving. */
export function requireSettled({ merging, returns_from, returns_to }: RecordItem): void {
  if (merging || returns_from !== undefined || returns_to !== undefined) throw inProgress();
}

/** 409 while a restored contact has not got everything back. */
export function requireComplete({ restoring }: RecordItem): void {
  if (restoring) throw inProgress();
}

/**
 * Two contacts that the caller may make one. 404 for one that the caller does not see; 403 for one that the caller may
 * only look at, or that would become private and is somebody else's, except for admins; 409 when a merge of the other one
 * is being taken back.
 */
export async function requireMergeable(
  ctx: CallerContext,
  id: string,
  other_id: string,
): Promise<[Contact, Contact]> {
  const both = await Promise.all([requireContact(ctx, id), requireContact(ctx, other_id)]);
  requireRights(both, ctx.caller.user);
  requireSettled(both[1]);
  return both;
}

/** Two contacts as they would be again. 404 when the caller would not see the second one, 403 as in `requireMergeable`. */
export function requireSeparable(both: [Contact, Contact], user: CallerContext['caller']['user']): void {
  if (accessOf(both[1], user) === undefined) throw recordNotFound();
  requireRights(both, user);
}
