import { loadRecord, requireEditable, requireRecord } from '#shared/domain/collaboration/records/policy.ts';
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
