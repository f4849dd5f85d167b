import { type Ended, type Links, linksOf } from '#shared/domain/collaboration/record-lists/relink.ts';
import type { Deal } from './deal.ts';
import { dealIndex } from './lists.ts';

/** A person who is on the deal already keeps that role. */
function contactsAfter(contacts: Deal['contacts'], { from, into }: Ended): Deal['contacts'] {
  const heir = into && !contacts.some(({ id }) => id === into.id) ? into.id : undefined;
  return contacts.flatMap((contact) => {
    if (contact.id !== from.id) return contact;
    return heir === undefined ? [] : { ...contact, id: heir };
  });
}

/** The people and the organization of deals. */
export const linksOfDeals: Links = linksOf(dealIndex, (deal, ended) => {
  if (ended.from.type === 'contacts') return { ...deal, contacts: contactsAfter(deal.contacts, ended) };
  return { ...deal, organization_id: ended.into?.id ?? null };
});
