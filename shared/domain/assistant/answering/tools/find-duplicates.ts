import { requireContact } from '#shared/domain/crm/contacts/policy.ts';
import { findDuplicates as find } from '#shared/domain/crm/duplicates/store.ts';
import type { DuplicateView } from '../other-views.ts';
import { give, type ToolContext } from './context.ts';
import { contactRow } from './read-contact.ts';

const FOUND = 10;

/** Contacts that the user sees and that may be the same person. 404 for a contact that the user does not see. */
export async function findDuplicates(
  ctx: ToolContext,
  contact_id: string,
): Promise<{ duplicates: DuplicateView[] }> {
  const contact = await requireContact(ctx, contact_id);
  const found = (await find(ctx, contact)).slice(0, FOUND);
  give(ctx, 'contact', [contact.id, ...found.map((each) => each.contact.id)]);
  return {
    duplicates: found.map(({ score, reasons, ...each }) => ({ ...contactRow(each.contact), score, reasons })),
  };
}
