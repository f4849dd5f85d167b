import type { Back, Restorable } from '#shared/domain/collaboration/deletions/restorable.ts';
import { accessOf } from '#shared/domain/collaboration/records/policy.ts';
import { linkedSpaces } from '#shared/domain/crm/spaces/memberships/linked.ts';
import { withinSpaces } from '#shared/domain/crm/spaces/memberships/room.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Contact } from './contact.ts';
import { linkedEmployers } from './dependent.ts';
import { contactIndex } from './lists.ts';
import { isFull } from './owners.ts';
import { withinPins } from './pins.ts';
import { requireEditableContact } from './policy.ts';
import { besidesOf, withFitting } from './writes.ts';

/** With the pins of those, and in the spaces, that have room. */
async function back(ctx: CallerContext, contact: Contact): Promise<Back<Contact>> {
  const spaces = await withinSpaces(ctx, contact);
  const [writes, pins] = await Promise.all([
    besidesOf(ctx, undefined, spaces.after),
    withinPins(ctx.table, spaces.after, [...(contact.pinned_by ?? [])]),
  ]);
  return { after: pins.after, writes: withFitting(writes, [...spaces.writes, ...pins.writes]) };
}

export const restorableContacts: Restorable<Contact> = {
  index: contactIndex,
  links: [
    { kind: 'employment', linked: linkedEmployers },
    { kind: 'membership', linked: linkedSpaces({ index: contactIndex, isFull }) },
  ],
  mayDelete: ({ caller: { user } }, contact) => accessOf(contact, user) === 'edit',
  require: requireEditableContact,
  back,
};
