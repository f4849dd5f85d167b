import { matchesTerms, wordsOf } from '#shared/domain/platform/postings/words.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Conversation } from './conversation.ts';

/** By the last message; those without one come last, by creation. Ids begin with their time. */
function byLastMessage(a: Conversation, b: Conversation): number {
  const rank = ({ last_message_at, id }: Conversation) => `${last_message_at ?? ''} ${id}`;
  return rank(a) < rank(b) ? -1 : 1;
}

/** The user's conversations; with a `query` those whose titles match all of its words. */
export async function listConversations(
  table: Table,
  user_id: string,
  { query, order }: { query?: string | undefined; order: 'asc' | 'desc' },
): Promise<Conversation[]> {
  const { PK, SK } = keys.conversation(user_id, '');
  const all = await table.all<Conversation>(PK, SK);
  const terms = query === undefined ? undefined : wordsOf(query);
  const found = terms ? all.filter(({ title = null }) => matchesTerms(terms, wordsOf(title))) : all;
  found.sort(byLastMessage);
  return order === 'asc' ? found : found.reverse();
}
