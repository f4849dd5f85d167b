import {
  type Ended,
  type Linked,
  type Links,
  linksOf,
} from '#shared/domain/collaboration/record-lists/relink.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { Deal } from './deal.ts';
import { dealIndex, linksOf as linksOfDeal } from './lists.ts';
import { MAX_CONTACTS } from './written.ts';

/**
 * A person who is on the deal already keeps that role. When a merge is taken back, both are on it again, each with the role
 * that it had.
 */
function contactsAfter(contacts: Deal['contacts'], { from, into, both, said }: Ended): Deal['contacts'] {
  const heir = into && !contacts.some(({ id }) => id === into.id) ? into.id : undefined;
  return contacts.flatMap((contact) => {
    if (contact.id !== from.id) return contact;
    const role = both ? ((said ?? null) as string | null) : contact.role;
    return [...(both ? [contact] : []), ...(heir === undefined ? [] : [{ ...contact, id: heir, role }])];
  });
}

/** A person's place among those of a deal, and the role there. */
interface Part {
  place: number;
  role: string | null;
}

function partOf({ contacts }: Deal, { id }: RecordRef): Part {
  const place = contacts.findIndex((contact) => contact.id === id);
  return { place, role: contacts[place]?.role ?? null };
}

function withContact(deal: Deal, { id }: RecordRef, { place, role }: Part): Deal {
  const { contacts } = deal;
  const isFull = contacts.length >= MAX_CONTACTS || contacts.some((contact) => contact.id === id);
  return isFull ? deal : { ...deal, contacts: contacts.toSpliced(place, 0, { id, role }) };
}

export const linkedDeals: Linked<Deal> = {
  index: dealIndex,
  targets: linksOfDeal,
  relinked(deal, ended) {
    if (ended.from.type === 'contacts') return { ...deal, contacts: contactsAfter(deal.contacts, ended) };
    return { ...deal, organization_id: ended.into?.id ?? null };
  },
  said: ({ contacts }, { id }) => contacts.find((contact) => contact.id === id)?.role ?? undefined,
  linkOf: (deal, to) => (to.type === 'contacts' ? partOf(deal, to) : null),
  withLink(deal, to, was) {
    if (to.type === 'contacts') return withContact(deal, to, was as Part);
    return deal.organization_id === null ? { ...deal, organization_id: to.id } : deal;
  },
};

/** The people and the organization of deals. */
export const linksOfDeals: Links = linksOf(linkedDeals);
