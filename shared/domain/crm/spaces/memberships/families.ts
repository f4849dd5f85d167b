import type { Writing } from '#shared/domain/collaboration/record-lists/change.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { ListedItem } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import { afterChange, recordChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { ownerWrites as contactRows, isFull as isFullContact } from '#shared/domain/crm/contacts/owners.ts';
import { type Member, type Membership, withMembership } from '#shared/domain/crm/details/memberships.ts';
import { organizationIndex } from '#shared/domain/crm/organizations/lists.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import {
  isFull as isFullOrganization,
  ownerWrites as organizationRows,
} from '#shared/domain/crm/organizations/owners.ts';
import type { Change } from '#shared/domain/platform/jobs/commit.ts';
import type { Write } from '#shared/table/table.ts';
import type { MemberRef } from './membership.ts';

/** The families whose records are added to spaces. */

export type ListedMember = Member & ListedItem;

export interface MemberFamily<R extends ListedMember> {
  index: RecordIndex<R>;
  /** Its rows under its spaces. */
  rows(before: R, after: R): Write[];
  /** Whether it has no room for one more. */
  isFull(record: R): boolean;
}

const contacts: MemberFamily<Contact> = { index: contactIndex, rows: contactRows, isFull: isFullContact };

const organizations: MemberFamily<Organization> = {
  index: organizationIndex,
  rows: organizationRows,
  isFull: isFullOrganization,
};

/** What `use` does in the family of a record. */
export function inFamily<T>(
  type: MemberRef['type'],
  use: <R extends ListedMember>(family: MemberFamily<R>) => T,
): T {
  return type === 'contacts' ? use(contacts) : use(organizations);
}

/**
 * The change that gives a record a membership, or ends it; `also` are further writes. It fails when another request changes
 * the record.
 */
export function membershipChange<R extends ListedMember>(
  ctx: Writing,
  { index, rows }: MemberFamily<R>,
  before: R,
  { space_id, membership, also = [] }: { space_id: string; membership?: Membership; also?: Write[] },
): Promise<Change> {
  const after = afterChange(before, withMembership(before, space_id, membership), ctx.now);
  return recordChange(ctx, index, { before, after, besides: [...rows(before, after), ...also] });
}
