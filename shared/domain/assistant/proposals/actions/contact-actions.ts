import { type Contact, contactChanges, contactDraft } from '#shared/domain/crm/contacts/contact.ts';
import { type ContactPlan, planContact } from '#shared/domain/crm/contacts/create.ts';
import { planEmployment } from '#shared/domain/crm/contacts/employ.ts';
import { employerIds } from '#shared/domain/crm/contacts/employer-ids.ts';
import { planContactChange, planContactUpdate } from '#shared/domain/crm/contacts/update.ts';
import { contactDeletion } from '#shared/domain/crm/contacts/writes.ts';
import { employmentEntry } from '#shared/domain/crm/contacts/written.ts';
import { uuid } from '#shared/values.ts';
import type { Actions } from './action.ts';
import { contactFields } from './contact-fields.ts';
import { contactMerge } from './contact-merge.ts';
import { changing, creating, type Family } from './record-actions.ts';

const contacts: Family<Contact, ContactPlan> = {
  type: 'contacts',
  fields: contactFields,
  linksOf: (contact) => employerIds(contact).map((id) => ({ type: 'organizations', id })),
  change: (ctx, id, make) => planContactChange(ctx, id, (before) => ({ after: make(before) })),
  deletion: contactDeletion,
};

/** Their parameters are those of the requests that do the same; `record_id` is the contact. */
export const contactActions: Actions = {
  'contact.create': creating(contacts, {
    params: contactDraft,
    params_hint:
      '{name, first_name, last_name, headline, email_addresses: [{email_address}], phone_numbers: [{phone_number}], ...}',
    plan: planContact,
    created: (contact): Contact => ({ ...contact, source: 'agent' }),
  }),
  'contact.update': changing(contacts, {
    params: contactChanges.extend({ record_id: uuid }),
    params_hint: '{record_id, and the fields to change}',
    plan: (ctx, { record_id, ...changes }) => planContactUpdate(ctx, record_id, changes),
    title: (_, { name }) => `Change ${name}`,
  }),
  'employment.create': changing(contacts, {
    params: employmentEntry.extend({ record_id: uuid }),
    params_hint:
      '{record_id: of the contact, title, organization: {id} or {name}, current, started_on, ended_on}',
    plan: (ctx, { record_id, ...employment }) => planEmployment(ctx, record_id, employment),
    title: (_, { name }) => `Add a job of ${name}`,
  }),
  'contact.merge': contactMerge,
};
