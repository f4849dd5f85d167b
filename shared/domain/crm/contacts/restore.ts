import type { Restorable } from '#shared/domain/collaboration/deletions/restorable.ts';
import { accessOf } from '#shared/domain/collaboration/records/policy.ts';
import { linkedSpaces } from '#shared/domain/crm/spaces/memberships/linked.ts';
import type { Contact } from './contact.ts';
import { linkedEmployers } from './dependent.ts';
import { contactIndex } from './lists.ts';
import { isFull } from './owners.ts';
import { requireEditableContact } from './policy.ts';
import { besidesOf } from './writes.ts';

export const restorableContacts: Restorable<Contact> = {
  index: contactIndex,
  links: [
    { kind: 'employment', linked: linkedEmployers },
    { kind: 'membership', linked: linkedSpaces({ index: contactIndex, isFull }) },
  ],
  mayDelete: ({ caller: { user } }, contact) => accessOf(contact, user) === 'edit',
  require: requireEditableContact,
  back: async (ctx, after) => ({ after, writes: await besidesOf(ctx, undefined, after) }),
};
