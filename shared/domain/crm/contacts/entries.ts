import { keepIds, type SentDetails, withPrimary } from '#shared/domain/crm/details/entries.ts';
import { newId } from '#shared/ids.ts';
import type { Contact, ContactChanges } from './contact.ts';

/** The lists that contacts alone have, as sent and as stored. */

export type SentEmployment = NonNullable<ContactChanges['employments']>[number];

/** With its organization by id. */
export type NamedEmployment = Omit<SentEmployment, 'organization'> & { organization: { id: string } | null };

export type ContactEntries = 'email_addresses' | 'employments' | keyof SentDetails;

export function employmentOf(sent: NamedEmployment, now: Date): Contact['employments'][number] {
  return {
    id: newId(now),
    title: sent.title ?? null,
    organization: sent.organization,
    current: sent.current ?? sent.ended_on == null,
    started_on: sent.started_on ?? null,
    ended_on: sent.ended_on ?? null,
  };
}

interface SentEntries {
  email_addresses?: ContactChanges['email_addresses'];
  employments?: NamedEmployment[] | undefined;
}

/** The lists that were sent. An existing entry keeps its id. */
export function entriesAfter(
  before: Contact,
  { email_addresses, employments }: SentEntries,
  now: Date,
): Partial<Contact> {
  return {
    ...(email_addresses && {
      email_addresses: keepIds(before.email_addresses, withPrimary(email_addresses, now)),
    }),
    ...(employments && {
      employments: keepIds(
        before.employments,
        employments.map((each) => employmentOf(each, now)),
      ),
    }),
  };
}
