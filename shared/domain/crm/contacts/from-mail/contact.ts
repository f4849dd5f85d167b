import type { Correspondent, NameInMail } from '#shared/domain/collaboration/records/correspondent.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { newContact } from '#shared/domain/crm/contacts/create.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';

/** A contact as mail makes it. */

type Name = Pick<Contact, 'name' | 'first_name' | 'last_name'>;

/** Without a name it is called by its address. */
export function nameFor(address: string, name: NameInMail | null | undefined): Name {
  if (!name) return { name: address, first_name: null, last_name: null };
  return { name: name.name, first_name: name.first_name, last_name: name.last_name };
}

export function contactFrom(
  ctx: CallerContext,
  { email_address, name }: Correspondent,
  organization_id: string | null,
): Contact {
  const organization = organization_id === null ? null : { id: organization_id };
  const draft = {
    ...nameFor(email_address, name),
    email_addresses: [{ email_address, label: null, primary: true }],
    employments: organization ? [{ title: null, organization, current: true }] : [],
  };
  return newContact(ctx.caller, draft, ctx.now, { source: 'mailbox' });
}
