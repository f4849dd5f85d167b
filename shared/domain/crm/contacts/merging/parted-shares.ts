import { withShares } from '#shared/domain/collaboration/shares/dependent.ts';
import type { StoredShare } from '#shared/domain/collaboration/shares/share.ts';
import { targetId } from '#shared/domain/collaboration/shares/target.ts';
import type { Contact } from '../contact.ts';
import { undoneByKey } from './undone.ts';

/** The shares of two contacts when their merge is taken back. What was revoked since stays revoked. */

interface Contacts {
  before: Contact;
  after: Contact;
  gone: Contact;
  now: Contact;
}

type Shares = Contact['shares'];

/** The survivor's shares once those of the other contact had followed. */
function sharesAfterMerge({ after, gone }: Contacts): Shares {
  const { id, user_id, shares } = after;
  return withShares({ type: 'contacts', id, user_id, shares }, Object.values(gone.shares));
}

export const sharesWithout = (contacts: Contacts): Shares =>
  undoneByKey({
    before: contacts.before.shares,
    after: sharesAfterMerge(contacts),
    now: contacts.now.shares,
  });

const shareWith = (shares: Shares, target: string) =>
  Object.values(shares).find((share) => targetId(share) === target);

/** The other contact's share: as it was, or with the narrower access that it has now. */
function restored(share: StoredShare, was: StoredShare | undefined, now: StoredShare | undefined) {
  // Nothing was shared with the survivor's owner.
  if (!was) return share;
  if (!now) return undefined;
  const narrowed = was.access === 'edit' && now.access === 'view';
  return narrowed ? { ...share, access: now.access } : share;
}

export function restoredShares(contacts: Contacts): Shares {
  const merged = sharesAfterMerge(contacts);
  const shares = Object.values(contacts.gone.shares).flatMap((share) => {
    const target = targetId(share);
    return restored(share, shareWith(merged, target), shareWith(contacts.now.shares, target)) ?? [];
  });
  return Object.fromEntries(shares.map((share) => [share.id, share]));
}

/** The groups with which a contact is shared. */
export const groupsOf = ({ shares }: Pick<Contact, 'shares'>): string[] =>
  Object.values(shares).flatMap(({ group_id }) => group_id ?? []);
