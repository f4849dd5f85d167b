import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import type { Query } from '#shared/domain/collaboration/record-lists/matching.ts';
import { recordChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { additionsOf, oneMore } from '#shared/domain/platform/limits/additions.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { invalidField } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Contact } from './contact.ts';
import { isPinned } from './criteria.ts';
import { contactIndex } from './lists.ts';
import { MAX_PINNED } from './pins.ts';
import { requireContact } from './policy.ts';

/** Pins are per user: who sees a contact may pin it. */

/** The pinned contacts that the caller sees. */
export async function pinnedContacts(ctx: CallerContext): Promise<Contact[]> {
  const criteria = [isPinned(ctx.caller.user)];
  const query: Query<Contact> = { index: contactIndex, criteria, sort: 'name', order: 'asc' };
  return (await findRecords(ctx, query, { limit: MAX_PINNED, after: undefined })).rows;
}

/** No attribute when nobody pins it: DynamoDB has no empty sets. */
function withPin({ pinned_by, ...rest }: Contact, user_id: string, pinned: boolean): Contact {
  const users = new Set(pinned_by);
  if (pinned) users.add(user_id);
  else users.delete(user_id);
  return users.size > 0 ? { ...rest, pinned_by: users } : rest;
}

/** 404 for a contact that the caller does not see; 400 for one contact too many. A repeat changes nothing. */
export function changePin(ctx: CallerContext<KeepsLists>, id: string, pinned: boolean): Promise<void> {
  return retryOnConflict(async () => {
    const { id: user_id } = ctx.caller.user;
    const [before, additions] = await Promise.all([
      requireContact(ctx, id),
      pinned ? additionsOf(ctx.table, keys.additions(user_id, 'pins')) : undefined,
    ]);
    if ((before.pinned_by?.has(user_id) ?? false) === pinned) return;
    if (pinned && (await pinnedContacts(ctx)).length >= MAX_PINNED)
      throw invalidField('contact_id', 'invalid', `cannot be pinned: a user has at most ${MAX_PINNED} pins`);
    const after = withPin(before, user_id, pinned);
    const besides = additions ? [oneMore(additions)] : [];
    await commit(ctx, await recordChange(ctx, contactIndex, { before, after, besides }));
  });
}
