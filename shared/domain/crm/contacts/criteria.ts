import {
  amongIds,
  type Criterion,
  inList,
  inPersonalList,
  later,
} from '#shared/domain/collaboration/record-lists/criteria.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Contact } from './contact.ts';
import { contactLists, isUnemployed, touchedAt } from './lists.ts';

/** The filters of lists of contacts, as criteria. */

export const ownedBy = ({ id }: User): Criterion<Contact> =>
  inList(contactLists.owner(id), ({ user_id }) => user_id === id);

export const isPinned = ({ id }: User): Criterion<Contact> =>
  inPersonalList([contactLists.pinned], ({ pinned_by }) => pinned_by?.has(id) ?? false);

export const unemployed: Criterion<Contact> = inList<Contact>(contactLists.unemployed, isUnemployed);

export const writtenAfter = (moment: number): Criterion<Contact> =>
  later<Contact>('updated_at', moment, touchedAt);

export const withAddress = (address: string, holders: string[]): Criterion<Contact> =>
  amongIds(holders, ({ email_addresses }) =>
    email_addresses.some(({ email_address }) => email_address === address),
  );

export const withExternalId = (external_id: string, holders: string[]): Criterion<Contact> =>
  amongIds(holders, (contact) => contact.external_id === external_id);
