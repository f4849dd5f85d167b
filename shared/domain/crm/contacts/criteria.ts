import {
  amongIds,
  type Criterion,
  inList,
  inPersonalList,
} from '#shared/domain/collaboration/record-lists/criteria.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Contact } from './contact.ts';
import { contactLists, employerList, isUnemployed } from './lists.ts';

/** Filters of contacts alone, as criteria. */

export const isPinned = ({ id }: User): Criterion<Contact> =>
  inPersonalList([contactLists.pinned], ({ pinned_by }) => pinned_by?.has(id) ?? false);

export const unemployed: Criterion<Contact> = inList<Contact>(contactLists.unemployed, isUnemployed);

export const withAddress = (address: string, holders: string[]): Criterion<Contact> =>
  amongIds(holders, ({ email_addresses }) =>
    email_addresses.some(({ email_address }) => email_address === address),
  );

/** With an employment there: a current one, a past one, or any. */
export function employedAt(id: string, current?: boolean): Criterion<Contact> {
  const states = current === undefined ? [true, false] : [current];
  return {
    lists: states.map((state) => employerList(id, state)),
    keeps: ({ employments }) =>
      employments.some((each) => each.organization?.id === id && states.includes(each.current)),
  };
}
