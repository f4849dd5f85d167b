import * as z from 'zod';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { Membership } from '#shared/domain/crm/details/memberships.ts';
import { invalidField } from '#shared/errors.ts';
import { timestamp, uuid } from '#shared/values.ts';

/** docs/specification/records.md, "Spaces". Exactly one of `contact_id` and `organization_id` is set. */
export const membershipSchema = z
  .strictObject({
    id: uuid,
    space_id: uuid,
    contact_id: uuid.nullable(),
    organization_id: uuid.nullable(),
    user_id: uuid.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'SpaceMembership' });

export type MembershipRecord = z.output<typeof membershipSchema>;

/** A contact or an organization. */
export type MemberRef = RecordRef & { type: 'contacts' | 'organizations' };

/** The body that names the record to add. */
export const memberFields = { contact_id: uuid.optional(), organization_id: uuid.optional() };

type Sent = z.output<z.ZodObject<typeof memberFields>>;

/** 400 unless exactly one of both was sent. */
export function memberChoice({ contact_id, organization_id }: Sent): MemberRef {
  if (contact_id !== undefined && organization_id !== undefined)
    throw invalidField('organization_id', 'invalid', 'cannot be given with a contact_id');
  if (contact_id !== undefined) return { type: 'contacts', id: contact_id };
  if (organization_id !== undefined) return { type: 'organizations', id: organization_id };
  throw invalidField('contact_id', 'required', 'is required, unless an organization_id is given');
}

export function presentMembership(
  space_id: string,
  { type, id }: MemberRef,
  { id: membership_id, user_id, created_at }: Membership,
): MembershipRecord {
  return {
    id: membership_id,
    space_id,
    contact_id: type === 'contacts' ? id : null,
    organization_id: type === 'organizations' ? id : null,
    user_id,
    created_at,
  };
}
