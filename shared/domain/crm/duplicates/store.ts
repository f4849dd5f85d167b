import { readMatching } from '#shared/domain/collaboration/record-lists/matching.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { employersOf } from '#shared/domain/crm/contacts/employers.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { candidateIds } from './candidates.ts';
import { distinctFrom } from './distinct.ts';
import type { Duplicate } from './duplicate.ts';
import { judge, likeliestFirst } from './judge.ts';

/** The contacts that the caller sees and that may be the same person, the likeliest first. */
export async function findDuplicates(ctx: CallerContext, contact: Contact): Promise<Duplicate[]> {
  const ids = await candidateIds(ctx, contact);
  const [others, distinct, employers] = await Promise.all([
    readMatching(ctx, { index: contactIndex, criteria: [] }, ids),
    distinctFrom(ctx.table, contact.id, ids),
    employersOf(ctx, [contact]),
  ]);
  const visible = new Set(employers.keys());
  const open = others.filter(({ id }) => !distinct.has(id));
  return likeliestFirst(open.flatMap((other) => judge(contact, other, visible) ?? []));
}
