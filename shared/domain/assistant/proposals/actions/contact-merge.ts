import * as z from 'zod';
import { changeOf } from '#shared/domain/collaboration/replies/display.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { fieldSides } from '#shared/domain/crm/contacts/merging/fields.ts';
import { planMerge } from '#shared/domain/crm/contacts/merging/merge.ts';
import { uuid } from '#shared/values.ts';
import { type Action, notUndoable } from './action.ts';
import { contactFields } from './contact-fields.ts';
import { changesOf } from './shown.ts';

const params = z.object({ record_id: uuid, contact_id_to_merge: uuid, fields: fieldSides });

function show({ name, email_addresses: [first] }: Contact): string {
  return first && first.email_address !== name ? `${name} <${first.email_address}>` : name;
}

/** A change of either contact makes it stale. */
function latest(...contacts: Contact[]): string | null {
  return contacts.flatMap(({ updated_at }) => updated_at ?? []).reduce((a, b) => (a > b ? a : b), '') || null;
}

/** Its parameters are those of a request that merges; `record_id` is the contact that is kept. It cannot be undone. */
export const contactMerge: Action<z.output<typeof params>> = {
  params,
  params_hint: '{record_id: the contact to keep, contact_id_to_merge}',

  async prepare(ctx, { record_id, contact_id_to_merge, fields }) {
    const planned = await planMerge(ctx, { into: record_id, from: contact_id_to_merge, fields });
    const { before, gone } = planned;
    const record = { type: 'contact', id: before.id };
    return {
      record,
      base_updated_at: latest(before, gone),
      tag_id: null,
      display: {
        // Who sees the one contact may not see the other.
        title: `Merge another contact into ${before.name}`,
        summary: null,
        changes: [
          changeOf('contact_id_to_merge', null, show(gone)),
          ...changesOf(await contactFields(ctx, { ...planned, founded: [] }), planned),
        ],
      },
      apply: async () => ({ ...(await planned.change()), applied: record, undo: null }),
    };
  },

  async undo() {
    throw notUndoable();
  },
};
