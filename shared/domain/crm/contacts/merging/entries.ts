import { isDeepStrictEqual } from 'node:util';
import { phoneIdentity } from '#shared/domain/collaboration/record-lists/phones.ts';
import { contentOf } from '#shared/domain/crm/details/entries.ts';
import { ENTRIES } from '#shared/domain/crm/details/written.ts';
import { invalidField } from '#shared/errors.ts';
import type { Contact } from '../contact.ts';
import type { ContactEntries } from '../entries.ts';
import { EMAIL_ADDRESSES } from '../written.ts';

/** The lists of two contacts: the survivor's entries first, and what both have once. */

interface Entry {
  id: string;
  label?: string | null;
  primary?: boolean;
}

const equal = (a: Entry, b: Entry) => isDeepStrictEqual(contentOf(a), contentOf(b));

function added<T extends Entry>(all: T[], entry: T, same: (a: T, b: T) => boolean): T[] {
  const there = all.find((each) => same(each, entry));
  if (!there) return [...all, entry];
  const { label } = entry;
  return label == null || there.label != null
    ? all
    : all.map((each) => (each === there ? { ...each, label } : each));
}

/** One of the survivor's entries stays the primary one. */
function joined<T extends Entry>(own: T[], others: T[], same: (a: T, b: T) => boolean = equal): T[] {
  const coming = own.some(({ primary }) => primary)
    ? others.map((entry) => ({ ...entry, primary: false }))
    : others;
  return coming.reduce((all, entry) => added(all, entry, same), own);
}

function refuseTooMany(entries: Pick<Contact, ContactEntries>): void {
  for (const [name, { length }] of Object.entries(entries)) {
    const most = name === 'email_addresses' ? EMAIL_ADDRESSES : ENTRIES;
    if (length > most)
      throw invalidField(name, 'too_long', `would have ${length} entries of both, and ${most} at most`);
  }
}

/** 400 `too_long` when a list has more entries than a contact may have. */
export function entriesOfBoth(survivor: Contact, gone: Contact): Pick<Contact, ContactEntries> {
  const entries = {
    email_addresses: joined(survivor.email_addresses, gone.email_addresses),
    phone_numbers: joined(
      survivor.phone_numbers,
      gone.phone_numbers,
      (a, b) => phoneIdentity(a.phone_number) === phoneIdentity(b.phone_number),
    ),
    links: joined(survivor.links, gone.links),
    addresses: joined(survivor.addresses, gone.addresses),
    employments: joined(survivor.employments, gone.employments),
  };
  refuseTooMany(entries);
  return entries;
}
