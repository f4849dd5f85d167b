import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { accessOf, requireEdit } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Contact } from './contact.ts';

/** A contact that the caller sees. */
export async function loadContact(
  { table, caller }: CallerContext,
  id: string,
): Promise<Contact | undefined> {
  const contact = await table.get<Contact>(keys.record('contacts', id));
  if (!isThere(contact) || contact.account_id !== caller.account.id) return undefined;
  return accessOf(contact, caller.user) ? contact : undefined;
}

/** 404 for any other. */
export async function requireContact(ctx: CallerContext, id: string): Promise<Contact> {
  const contact = await loadContact(ctx, id);
  if (!contact) throw recordNotFound();
  return contact;
}

/** A contact that the caller may change. 403 when the caller may only look at it. */
export async function requireEditableContact(ctx: CallerContext, id: string): Promise<Contact> {
  const contact = await requireContact(ctx, id);
  requireEdit(contact, ctx.caller.user);
  return contact;
}
