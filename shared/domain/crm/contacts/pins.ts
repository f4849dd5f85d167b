import { listName } from '#shared/domain/collaboration/record-lists/entry.ts';
import { idsOf } from '#shared/domain/collaboration/record-lists/ranks.ts';
import { additionsOf, oneMore } from '#shared/domain/platform/limits/additions.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import type { Contact } from './contact.ts';
import { contactIndex, contactLists } from './lists.ts';

/** Contacts that a user can pin: threads with them are found by their addresses (docs/specification/mail.md). */
export const MAX_PINNED = 100;

async function hasRoom(table: Table, user_id: string, contact_id: string): Promise<boolean> {
  const { PK: partition } = keys.posting(
    user_id,
    listName('contacts', contactIndex.words_by, contactLists.pinned),
    '',
  );
  const { items } = await table.query<Posting>({ partition, limit: MAX_PINNED + 1 });
  return idsOf(items).filter((id) => id !== contact_id).length < MAX_PINNED;
}

/**
 * A contact that comes back without the pins of those of `users`, who pinned it, that have no room for one more. The writes
 * fail when one of the others pins another contact meanwhile.
 */
export async function withinPins(
  table: Table,
  contact: Contact,
  users: string[],
): Promise<{ after: Contact; writes: Write[] }> {
  const pins = await Promise.all(
    users.map(async (user_id) => {
      const additions = await additionsOf(table, keys.additions(user_id, 'pins'));
      return { user_id, additions, fits: await hasRoom(table, user_id, contact.id) };
    }),
  );
  const { pinned_by, ...rest } = contact;
  const full = new Set(pins.filter(({ fits }) => !fits).map(({ user_id }) => user_id));
  const left = [...(pinned_by ?? [])].filter((user_id) => !full.has(user_id));
  return {
    after: left.length > 0 ? { ...rest, pinned_by: new Set(left) } : rest,
    writes: pins.filter(({ fits }) => fits).map(({ additions }) => oneMore(additions)),
  };
}
