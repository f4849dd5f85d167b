import { Conjunction, ownedBy } from '#shared/domain/platform/postings/conjunction.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { matchesTerms, wordsOf } from '#shared/domain/platform/postings/words.ts';
import type { Table } from '#shared/table/table.ts';
import { conversationId, LIST } from './posting.ts';

/** Postings of the first read. */
const PAGE = 1_000;

/**
 * The ids of the user's conversations, the latest message first; with a `query`, of those whose titles match all of its
 * words. The cost depends on the number of conversations, because a page says how many there are.
 */
export async function listConversationIds(table: Table, user_id: string, query?: string): Promise<string[]> {
  const found = new Conjunction<Posting>(table, ownedBy(user_id, [[{ list: LIST }]]), {
    page_size: PAGE,
    max_steps: Number.POSITIVE_INFINITY,
  });
  const postings = await found.take(Number.POSITIVE_INFINITY);
  const terms = query === undefined ? undefined : wordsOf(query);
  const matching = terms
    ? postings.filter(({ words = '' }) => matchesTerms(terms, words.split(' ')))
    : postings;
  return matching.map(conversationId);
}
