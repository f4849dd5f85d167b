import type * as z from 'zod';
import { nextMoment } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { requireEdit } from '#shared/domain/collaboration/records/policy.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { contactChanges as changesSchema } from '#shared/domain/crm/contacts/contact.ts';
import { withEmployers } from '#shared/domain/crm/contacts/employers.ts';
import { loadContact, requireEditableContact } from '#shared/domain/crm/contacts/policy.ts';
import { changeContact } from '#shared/domain/crm/contacts/update.ts';
import { contactChange } from '#shared/domain/crm/contacts/writes.ts';
import { fitting } from '#shared/domain/crm/details/size.ts';
import { uuid } from '#shared/values.ts';
import { type Action, notUndoable } from './action.ts';
import { changedFields, contactChanges, organizationNames } from './contact-fields.ts';

const params = changesSchema.extend({ record_id: uuid });

/** The values before, and the `updated_at` that the change gave the contact. */
interface Undo {
  before: Partial<Contact>;
  updated_at: string | null;
}

function undoOf(before: Contact, after: Contact): Undo | null {
  if (before === after) return null;
  const values = changedFields(before, after).map((field) => [field, before[field]]);
  return { before: Object.fromEntries(values), updated_at: after.updated_at };
}

/** Its parameters are the contact and its fields, as in a request that changes it. */
export const contactUpdate: Action<z.output<typeof params>> = {
  params,
  params_hint: '{record_id, and the fields to change}',

  async prepare(ctx, { record_id, ...changes }) {
    const before = await requireEditableContact(ctx, record_id);
    const { sent, founded } = await withEmployers(ctx, changes, before);
    const after = changeContact(before, sent, ctx.now);
    const names = await organizationNames(ctx, [before, after], founded);
    const record = { type: 'contact', id: before.id };
    return {
      record,
      base_updated_at: before.updated_at,
      tag_id: null,
      display: {
        title: `Change ${before.name}`,
        summary: null,
        changes: contactChanges(before, after, names),
      },
      apply: async () => ({
        ...(await contactChange(ctx, before, after, founded)),
        applied: record,
        undo: undoOf(before, after),
      }),
    };
  },

  async undo(ctx, proposal) {
    const { before, updated_at }: Undo = JSON.parse(proposal.undo ?? '{}');
    const contact = await loadContact(ctx, proposal.applied_record_id ?? '');
    if (contact?.updated_at !== updated_at || !contact) throw notUndoable();
    requireEdit(contact, ctx.caller.user);
    const restored = fitting({ ...contact, ...before, updated_at: nextMoment(contact, ctx.now) }, 'contact');
    return contactChange(ctx, contact, restored);
  },
};
