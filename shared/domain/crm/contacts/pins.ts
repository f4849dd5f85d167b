import { listName } from '#shared/domain/collaboration/record-lists/entry.ts';
import { idsOf } from '#shared/domain/collaboration/record-lists/ranks.ts';
import { countNear } from '#shared/domain/platform/limits/near.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import type { Contact } from './contact.ts';
import { contactIndex, contactLists } from './lists.ts';

/** Contacts that a user can pin: threads with them are found by their addresses (docs/specification/mail.md). */
export const MAX_PINNED = 100;

/** Besides the contact itself, which a job may not have taken off the list yet. */
async function countPins(table: Table, user_id: string, contact_id: string): Promise<number> {
  const pinned = listName('contacts', contactIndex.words_by, contactLists.pinned);
  const { items } = await table.query<Posting>({
    partition: keys.posting(user_id, pinned, '').PK,
    limit: MAX_PINNED + 1,
  });
  return idsOf(items).filter((id) => id !== contact_id).length;
}

/**
 * A contact that comes back without the pins of those of `users`, who pinned it, that have no room for one more. The writes
 * fail when one of the others takes the last place meanwhile.
 */
export async function withinPins(
  table: Table,
  contact: Contact,
  users: string[],
): Promise<{ after: Contact; writes: Write[] }> {
  const pins = await Promise.all(
    users.map(async (user_id) => {
      const key = keys.additions(user_id, 'pins');
      const count = () => countPins(table, user_id, contact.id);
      return { user_id, ...(await countNear(table, { key, most: MAX_PINNED, count })) };
    }),
  );
  const full = new Set(pins.flatMap(({ user_id, count }) => (count < MAX_PINNED ? [] : [user_id])));
  const { pinned_by, ...rest } = contact;
  const left = [...(pinned_by ?? [])].filter((user_id) => !full.has(user_id));
  return {
    after: left.length > 0 ? { ...rest, pinned_by: new Set(left) } : rest,
    writes: pins.flatMap(({ user_id, writes }) => (full.has(user_id) ? [] : writes)),
  };
}
