import { requireEdit } from '#shared/domain/collaboration/records/policy.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { requireContact } from '#shared/domain/crm/contacts/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { recordNotFound } from '#shared/errors.ts';
import { findDuplicates } from './store.ts';

/** The two contacts of a pair. 404 for a pair that is not in the caller's list of the contact's duplicates. */
export async function requirePair(
  ctx: CallerContext,
  contact_id: string,
  id: string,
): Promise<{ contact: Contact; other: Contact }> {
  const contact = await requireContact(ctx, contact_id);
  const found = (await findDuplicates(ctx, contact)).find((duplicate) => duplicate.id === id);
  if (!found) throw recordNotFound();
  return { contact, other: found.contact };
}

/** The same. 403 for a user who may only look at one of both. */
export async function requireEditablePair(ctx: CallerContext, contact_id: string, id: string) {
  const pair = await requirePair(ctx, contact_id, id);
  requireEdit(pair.contact, ctx.caller.user);
  requireEdit(pair.other, ctx.caller.user);
  return pair;
}
