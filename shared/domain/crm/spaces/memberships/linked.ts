import type { Linked } from '#shared/domain/collaboration/record-lists/relink.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import {
  MAX_SPACES,
  type Membership,
  spacesAddedTo,
  withMembership,
} from '#shared/domain/crm/details/memberships.ts';
import type { ListedMember, MemberFamily } from './families.ts';

/** The spaces that records of a family were added to, as links. */

/** With a membership as it was; the same object when it has one again, or no room. */
export function withFormerMembership<R extends ListedMember>(
  { isFull }: Pick<MemberFamily<R>, 'isFull'>,
  record: R,
  { id }: RecordRef,
  was: Membership,
): R {
  const spaces = spacesAddedTo(record);
  if (spaces.includes(id) || spaces.length >= MAX_SPACES || isFull(record)) return record;
  return withMembership(record, id, was);
}

export const linkedSpaces = <R extends ListedMember>(
  family: Pick<MemberFamily<R>, 'index' | 'isFull'>,
): Linked<R> => ({
  index: family.index,
  targets: (record) => spacesAddedTo(record).map((id) => ({ type: 'spaces', id })),
  // Spaces are not merged.
  relinked: (record, { from }) => withMembership(record, from.id),
  linkOf: ({ memberships }, { id }) => memberships?.[id],
  withLink: (record, to, was) => withFormerMembership(family, record, to, was as Membership),
});
