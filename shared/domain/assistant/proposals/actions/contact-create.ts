import { hasComments } from '#shared/domain/collaboration/comments/dependent.ts';
import { type ContactDraft, contactDraft } from '#shared/domain/crm/contacts/contact.ts';
import { newContact } from '#shared/domain/crm/contacts/create.ts';
import { withEmployers } from '#shared/domain/crm/contacts/employers.ts';
import { loadContact } from '#shared/domain/crm/contacts/policy.ts';
import { contactChange, contactDeletion } from '#shared/domain/crm/contacts/writes.ts';
import { missing } from '#shared/table/table.ts';
import { type Action, type ActionContext, notUndoable } from './action.ts';
import { contactChanges, organizationNames } from './contact-fields.ts';

/** The contact, unless it was changed, commented on, tagged or shared since. */
async function requireUntouched(ctx: ActionContext, id: string) {
  const [contact, commented] = await Promise.all([
    loadContact(ctx, id),
    hasComments(ctx.table, { type: 'contacts', id }),
  ]);
  if (!contact || contact.updated_at !== null || contact.tag_ids || commented) throw notUndoable();
  if (Object.keys(contact.shares).length > 0) throw notUndoable();
  return contact;
}

/** Its parameters are those of a new contact. */
export const contactCreate: Action<ContactDraft> = {
  params: contactDraft,
  params_hint:
    '{name, first_name, last_name, headline, email_addresses: [{email_address}], phone_numbers: [{phone_number}], ...}',

  async prepare(ctx, params) {
    const { sent, founded } = await withEmployers(ctx, params);
    const contact = { ...newContact(ctx.caller, sent, ctx.now), source: 'agent' as const };
    const names = await organizationNames(ctx, [contact], founded);
    return {
      record: null,
      base_updated_at: null,
      tag_id: null,
      display: {
        title: `Create the contact ${contact.name}`,
        summary: null,
        changes: contactChanges(undefined, contact, names),
      },
      apply: async () => ({
        ...(await contactChange(ctx, undefined, contact, founded)),
        applied: { type: 'contact', id: contact.id },
        undo: {},
      }),
    };
  },

  async undo(ctx, { applied_record_id }) {
    const contact = await requireUntouched(ctx, applied_record_id ?? '');
    return contactDeletion(ctx, contact, { tag_ids: missing, shares: contact.shares });
  },
};
