import { isThere } from '#shared/domain/collaboration/records/live.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Contact } from './contact.ts';

/** `account` contacts are visible to every user, `private` ones to their owner. */
export function canSeeContact(
  contact: Pick<Contact, 'visibility' | 'user_id'>,
  user: Pick<User, 'id'>,
): boolean {
  return contact.visibility === 'account' || contact.user_id === user.id;
}

/** A contact that the caller sees. */
export async function loadContact(
  { table, caller }: CallerContext,
  id: string,
): Promise<Contact | undefined> {
  const contact = await table.get<Contact>(keys.record('contacts', id));
  if (!isThere(contact) || contact.account_id !== caller.account.id) return undefined;
  return canSeeContact(contact, caller.user) ? contact : undefined;
}

/** 404 for any other. */
export async function requireContact(ctx: CallerContext, id: string): Promise<Contact> {
  const contact = await loadContact(ctx, id);
  if (!contact) throw recordNotFound();
  return contact;
}
