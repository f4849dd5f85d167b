import { listChange, readEntries } from '#shared/domain/collaboration/record-lists/change.ts';
import { findRecords, type Query } from '#shared/domain/collaboration/record-lists/find.ts';
import { asItWas, MAX_WRITES } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { invalidField } from '#shared/errors.ts';
import { keyOf } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { update } from '#shared/table/table.ts';
import type { Contact } from './contact.ts';
import { isPinned } from './criteria.ts';
import { contactIndex } from './lists.ts';
import { requireContact } from './policy.ts';

/** Pins are per user: who sees a contact may pin it. */

/** Contacts that a user can pin: threads with them are found by their addresses (docs/specification/mail.md). */
const MAX_PINNED = 100;

/** The pinned contacts that the caller sees. */
export async function pinnedContacts(ctx: CallerContext): Promise<Contact[]> {
  const criteria = [isPinned(ctx.caller.user)];
  const query: Query<Contact> = { index: contactIndex, criteria, sort: 'name', order: 'asc' };
  return (await findRecords(ctx, query, { limit: MAX_PINNED, after: undefined })).rows;
}

/** The users who pin it after the change; undefined for nobody. */
function pinning(
  { pinned_by = new Set() }: Contact,
  user_id: string,
  pinned: boolean,
): Set<string> | undefined {
  const after = new Set(pinned_by);
  if (pinned) after.add(user_id);
  else after.delete(user_id);
  return after.size > 0 ? after : undefined;
}

/** 404 for a contact that the caller does not see; 400 for one contact too many. A repeat changes nothing. */
export function changePin(ctx: CallerContext<KeepsLists>, id: string, pinned: boolean): Promise<void> {
  return retryOnConflict(async () => {
    const [before, entries] = await Promise.all([
      requireContact(ctx, id),
      readEntries(ctx.table, { type: 'contacts', id }),
    ]);
    const { id: user_id } = ctx.caller.user;
    if ((before.pinned_by?.has(user_id) ?? false) === pinned) return;
    if (pinned && (await pinnedContacts(ctx)).length >= MAX_PINNED)
      throw invalidField('contact_id', 'invalid', `cannot be pinned: a user has at most ${MAX_PINNED} pins`);
    const { pinned_by: _, ...rest } = before;
    const pinned_by = pinning(before, user_id, pinned);
    const after: Contact = { ...rest, ...(pinned_by ? { pinned_by } : {}) };
    const write = update<Contact>(keyOf(before), {
      [pinned ? 'add' : 'take']: { pinned_by: new Set([user_id]) },
      when: asItWas(before),
    });
    const listed = await listChange(ctx, contactIndex, { id, entries, after, room: MAX_WRITES - 1 });
    await commit(ctx, together([write], listed));
  });
}
