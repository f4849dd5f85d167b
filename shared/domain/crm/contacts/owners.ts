import { spacesAddedTo } from '#shared/domain/crm/details/memberships.ts';
import { type OwnerRows, ownerRowWrites } from '#shared/domain/crm/details/owner-rows.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import { invalidField } from '#shared/errors.ts';
import type { Write } from '#shared/table/table.ts';
import type { Contact } from './contact.ts';
import { employerIds } from './employer-ids.ts';
import { EMAIL_ADDRESSES } from './written.ts';

/** The rows of a contact under its organizations and its spaces. */

function rowOf({ id, visibility, user_id, email_addresses }: Contact) {
  const addresses = email_addresses.map(({ email_address }) => email_address);
  return { contact: { id, visibility, user_id }, addresses };
}

const employers: OwnerRows<Contact> = { owner: 'organizations', ids: employerIds, row: rowOf };

const spaces: OwnerRows<Contact> = {
  owner: 'spaces',
  ids: spacesAddedTo,
  row: (contact, id) => ({ ...rowOf(contact), membership_id: contact.memberships?.[id]?.id }),
};

/** Its organizations, spaces and addresses. */
const crowd = (contact: Contact) =>
  employerIds(contact).length + spacesAddedTo(contact).length + contact.email_addresses.length;

/** One transaction changes all of them. */
const isOver = (contact: Contact) =>
  crowd(contact) > EMAIL_ADDRESSES && crowd(contact) > contact.email_addresses.length;

/** Whether no further space fits. */
export const isFull = (contact: Contact) => crowd(contact) >= EMAIL_ADDRESSES;

/**
 * The rows when a contact changes. They fail when an organization or a space that is new to it does not exist. 400
 * `too_long` for more than one transaction can change with the email addresses.
 */
export function ownerWrites(
  before: Contact | undefined,
  after: Contact | undefined,
  founded: Organization[] = [],
): Write[] {
  if (after && isOver(after))
    throw invalidField(
      'employments',
      'too_long',
      `has more than ${EMAIL_ADDRESSES} organizations, spaces and addresses`,
    );
  const ids = founded.map(({ id }) => id);
  return [...ownerRowWrites(employers, before, after, ids), ...ownerRowWrites(spaces, before, after)];
}
