import { type ContactDraft, contactDraft } from '#shared/domain/crm/contacts/contact.ts';
import { newContact } from '#shared/domain/crm/contacts/create.ts';
import { loadContact } from '#shared/domain/crm/contacts/visibility.ts';
import { contactWrites } from '#shared/domain/crm/contacts/writes.ts';
import { keys } from '#shared/table/keys.ts';
import { type Action, type ActionContext, notUndoable } from './action.ts';
import { contactChanges } from './contact-fields.ts';

/** The contact, while nothing else is kept under it: no comments, no tags. */
async function requireUntouched(ctx: ActionContext, id: string) {
  const { PK } = keys.record('contacts', id);
  const [contact, { items }] = await Promise.all([
    loadContact(ctx, id),
    ctx.table.query({ partition: PK, limit: 2 }),
  ]);
  if (!contact || contact.updated_at !== null || items.length > 1) throw notUndoable();
  return contact;
}

/** Its parameters are those of a new contact. */
export const contactCreate: Action<ContactDraft> = {
  params: contactDraft,
  params_hint:
    '{name, first_name, last_name, headline, email_addresses: [{email_address}], phone_numbers: [{phone_number}], ...}',

  async prepare(ctx, params) {
    const contact = { ...newContact(ctx.caller, params, ctx.now), source: 'agent' as const };
    return {
      record: null,
      base_updated_at: null,
      tag_id: null,
      display: {
        title: `Create the contact ${contact.name}`,
        summary: null,
        changes: contactChanges(undefined, contact),
      },
      apply: async () => ({
        writes: await contactWrites(ctx, undefined, contact),
        jobs: [],
        applied: { type: 'contact', id: contact.id },
        undo: {},
      }),
    };
  },

  async undo(ctx, { applied_record_id }) {
    const contact = await requireUntouched(ctx, applied_record_id ?? '');
    return {
      writes: await contactWrites(ctx, contact, undefined),
      jobs: [],
    };
  },
};
