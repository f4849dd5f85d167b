import { matching } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Page } from '#shared/domain/platform/postings/page.ts';
import type { Contact } from './contact.ts';
import { contactIndex } from './lists.ts';

/** A page of visible contacts that match all words of the query, newest first. */
export function searchContacts(
  ctx: CallerContext,
  query: string,
  { limit, after }: { limit: number; after?: string },
): Promise<Page<Contact>> {
  const criteria = [matching(contactIndex, query)];
  return findRecords(
    ctx,
    { index: contactIndex, criteria, sort: 'created_at', order: 'desc' },
    { limit, after },
  );
}
