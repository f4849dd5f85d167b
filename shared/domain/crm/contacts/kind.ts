import type { RecordKind, Seer, VisibleRecord } from '#shared/domain/collaboration/records/kind.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { accessOf } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Contact } from './contact.ts';
import { loadContact } from './policy.ts';

/** Contacts as records with comments and tags. */
export const contactKind: RecordKind = {
  async load(ctx: CallerContext, id: string): Promise<VisibleRecord | undefined> {
    const contact = await loadContact(ctx, id);
    if (!contact) return undefined;
    return {
      type: 'contacts',
      id: contact.id,
      label: { name: contact.name },
      owner_ids: [contact.user_id],
      tag_ids: [...(contact.tag_ids ?? [])],
    };
  },

  async seenBy(table: Table, id: string, users: User[]): Promise<Seer[]> {
    const contact = await table.get<Contact>(keys.record('contacts', id));
    return isThere(contact) ? users.filter((user) => accessOf(contact, user)).map((user) => ({ user })) : [];
  },
};
