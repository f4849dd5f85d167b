import type { DemoContact } from './contacts.ts';
import type { DemoRecords } from './records.ts';
import type { Workspace } from './workspace.ts';

/** Whom people know before mail arrives: mail adds those whom they write to besides. */

function draftOf(contact: DemoContact) {
  return {
    name: contact.name,
    first_name: contact.first_name,
    last_name: contact.last_name,
    headline: [contact.job_title, contact.company].filter((part) => part !== '').join(', ') || null,
    employments:
      contact.company === ''
        ? []
        : [{ title: contact.job_title || null, organization: { name: contact.company }, current: true }],
    description: contact.note,
    email_addresses: contact.email_addresses.map((email_address) => ({ email_address })),
    ...(contact.private ? { visibility: 'private' as const } : {}),
    ...(contact.phone_number ? { phone_numbers: [{ phone_number: contact.phone_number }] } : {}),
  };
}

/** Before the contacts, which name them. */
async function addOrganizations(workspace: Workspace, { organizations }: DemoRecords): Promise<void> {
  await Promise.all(
    organizations.map(async ({ name, domain, industry, industry_before, created_by, private: hidden }) => {
      const visibility = hidden ? ('private' as const) : ('account' as const);
      const api = workspace.api(created_by);
      const { body } = await api.createOrganization({
        body: {
          organization: { name, domains: [domain], industry: industry_before ?? industry, visibility },
        },
      });
      const { id } = body.organization;
      workspace.organizations.set(name, id);
      if (industry_before)
        await api.updateOrganization({ params: { id }, body: { organization: { industry } } });
    }),
  );
}

/** A merge that whoever tries the demo can take back. */
async function mergeAnother(api: ReturnType<Workspace['api']>, id: string, name: string): Promise<void> {
  const { body } = await api.createContact({ body: { contact: { name } } });
  const other = body.contact.id;
  await api.mergeContacts({ params: { contact_id: id }, body: { contact_id_to_merge: other } });
}

async function addContacts(workspace: Workspace, { contacts }: DemoRecords): Promise<void> {
  await Promise.all(
    contacts.map(async (contact) => {
      const api = workspace.api(contact.created_by);
      const { body } = await api.createContact({ body: { contact: draftOf(contact) } });
      const { id } = body.contact;
      workspace.contacts.set(contact.name, id);
      const { headline, also } = contact;
      if (headline) await api.updateContact({ params: { id }, body: { contact: { headline } } });
      if (also) await mergeAnother(api, id, also);
    }),
  );
}

export async function addPeople(workspace: Workspace, records: DemoRecords): Promise<void> {
  await addOrganizations(workspace, records);
  await addContacts(workspace, records);
}
