import type * as z from 'zod';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { turned } from '#shared/domain/crm/contacts/merging/fields.ts';
import { mergeContacts } from '#shared/domain/crm/contacts/merging/merge.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import type { duplicateMerge } from './duplicate.ts';
import { requirePair } from './policy.ts';

/** Merges a pair, and returns the contact that is kept. 404 as `requirePair`, otherwise as `mergeContacts`. */
export async function mergeDuplicate(
  ctx: CallerContext<KeepsLists>,
  { contact_id, id }: { contact_id: string; id: string },
  { keep, fields }: z.output<typeof duplicateMerge>,
): Promise<Contact> {
  const { contact, other } = await requirePair(ctx, contact_id, id);
  return keep === 'this'
    ? mergeContacts(ctx, { into: contact.id, from: other.id, fields })
    : mergeContacts(ctx, { into: other.id, from: contact.id, fields: turned(fields) });
}
