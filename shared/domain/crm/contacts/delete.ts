import type { PlansDeletion } from '#shared/domain/collaboration/life/delete.ts';
import { loadContact } from './policy.ts';
import { contactDeletion } from './writes.ts';

/** Every user who sees a contact may delete it (docs/specification/records.md, "Visibility"). */
export const deletesContact: PlansDeletion = async (ctx, id) => {
  const contact = await loadContact(ctx, id);
  return contact && contactDeletion(ctx, contact);
};
