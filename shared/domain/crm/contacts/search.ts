import { isThere } from '#shared/domain/collaboration/records/live.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { findPage, MAX_STEPS, type Page, pageSize } from '#shared/domain/platform/postings/page.ts';
import { narrowed } from '#shared/domain/platform/postings/plan.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import type { OwnedRange } from '#shared/domain/platform/postings/reader.ts';
import { matchesTerms, wordsOf } from '#shared/domain/platform/postings/words.ts';
import { keys } from '#shared/table/keys.ts';
import type { Contact } from './contact.ts';
import { canSeeContact } from './policy.ts';
import { prefixes, searchedWords, wordList } from './postings.ts';

/** The longest terms are looked up in lists; further terms are checked on the contacts found. */
const MAX_CLAUSES = 4;

/** The clause of a term: contacts of the account, and private ones of the caller. */
function clauseOf({ caller }: CallerContext, term: string): OwnedRange[] {
  const ranges = prefixes.ranges(term, [wordList]) ?? [];
  return [caller.account.id, caller.user.id].flatMap((owner) => ranges.map((range) => ({ ...range, owner })));
}

/** The contacts of these postings as they are now, in the same order, without those that changed or were deleted. */
async function readContacts({ table, caller }: CallerContext, postings: Posting[], terms: string[]) {
  const ids = postings.map(({ SK }) => SK);
  const contacts = await table.getMany<Contact>(ids.map((id) => keys.record('contacts', id)));
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  return ids
    .flatMap((id) => byId.get(id) ?? [])
    .filter(isThere)
    .filter((contact) => canSeeContact(contact, caller.user) && matchesTerms(terms, searchedWords(contact)));
}

/** A page of visible contacts that match all terms of the query, newest first. */
export async function searchContacts(
  ctx: CallerContext,
  query: string,
  { limit, after }: { limit: number; after?: string },
): Promise<Page<Contact>> {
  const terms = wordsOf(query);
  if (terms.length === 0) return { rows: [], next: null };
  const longest = terms.toSorted((a, b) => b.length - a.length).slice(0, MAX_CLAUSES);
  const clauses = longest.map((term) => clauseOf(ctx, term));
  const found = new Conjunction(ctx.table, narrowed(clauses, { before: after }), {
    page_size: pageSize(clauses, limit),
    max_steps: MAX_STEPS,
  });
  return findPage(found, {
    limit,
    rowsOf: (postings) => readContacts(ctx, postings, terms),
    rankOf: ({ id }) => id,
  });
}
