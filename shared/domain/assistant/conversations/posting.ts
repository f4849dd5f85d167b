import { type Posting, postingChanges } from '#shared/domain/platform/postings/posting.ts';
import { wordsOf } from '#shared/domain/platform/postings/words.ts';
import { keys, timeRank } from '#shared/table/keys.ts';
import { asRead, type Condition, type Write, when } from '#shared/table/table.ts';
import type { Conversation } from './conversation.ts';

/** The list of a user's conversations: by the last message; those without one come last, by creation. */
export const LIST = 'conversations';

/** `words` are those of the title. */
function postingOf({ id, user_id, title, last_message_at }: Conversation): Posting {
  const rank = `${last_message_at === null ? '0' : timeRank(Date.parse(last_message_at))}#${id}`;
  const words = wordsOf(title ?? null);
  return { ...keys.posting(user_id, LIST, rank), ...(words.length > 0 ? { words: words.join(' ') } : {}) };
}

export const conversationId = ({ SK }: Posting): string => SK.slice(SK.indexOf('#') + 1);

/** Its list and messages are as they were read. */
export function unchanged({ message_count, last_message_at, title }: Conversation): Condition {
  return when<Conversation>({ message_count, last_message_at, title: asRead(title) });
}

/** Writes its posting as it is `after`. Belongs in a transaction that checks that `before` is unchanged. */
export function postingWrites(before: Conversation | undefined, after: Conversation | undefined): Write[] {
  const { puts, deletes } = postingChanges(
    before ? [postingOf(before)] : [],
    after ? [postingOf(after)] : [],
  );
  return [...deletes, ...puts];
}
