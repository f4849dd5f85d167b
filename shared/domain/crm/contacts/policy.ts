import {
  loadRecord,
  requireEdit,
  requireEditable,
  requireRecord,
  requireVisibilityRight,
} from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Contact } from './contact.ts';
import { employerIds } from './employers.ts';

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
 * Two contacts that the caller may make one. 404 for one that the caller does not see; 403 for one that the caller may
 * only look at, or that would become private and is somebody else's, except for admins.
 */
export async function requireMergeable(
  ctx: CallerContext,
  id: string,
  other_id: string,
): Promise<[Contact, Contact]> {
  const { user } = ctx.caller;
  const both = await Promise.all([requireContact(ctx, id), requireContact(ctx, other_id)]);
  const hides = both.some(({ visibility }) => visibility === 'private');
  for (const contact of both) {
    requireEdit(contact, user);
    if (hides) requireVisibilityRight(contact, user, 'private');
  }
  return both;
}
