import { spacesAddedTo } from '#shared/domain/crm/details/memberships.ts';
import { type OwnerRows, ownerRowWrites } from '#shared/domain/crm/details/owner-rows.ts';
import { invalidField } from '#shared/errors.ts';
import type { Write } from '#shared/table/table.ts';
import type { Organization } from './organization.ts';
import { DOMAINS } from './written.ts';

/** The rows of an organization under its spaces. */
const spaces: OwnerRows<Organization> = {
  owner: 'spaces',
  ids: spacesAddedTo,
  row: ({ id, visibility, user_id, memberships }, space_id) => ({
    organization: { id, visibility, user_id },
    membership_id: memberships?.[space_id]?.id,
  }),
};

/** Its spaces and domains: one transaction changes all of them. */
const crowd = (organization: Organization) =>
  spacesAddedTo(organization).length + organization.domains.length;

/** Whether no further space fits. */
export const isFull = (organization: Organization) => crowd(organization) >= DOMAINS;

/**
 * The rows when an organization changes. They fail when a space that is new to it does not exist. 400 `too_long` for more
 * than one transaction can change with the domains.
 */
export function ownerWrites(before: Organization | undefined, after: Organization | undefined): Write[] {
  if (after && crowd(after) > DOMAINS)
    throw invalidField('domains', 'too_long', `has more than ${DOMAINS} domains and spaces`);
  return ownerRowWrites(spaces, before, after);
}
