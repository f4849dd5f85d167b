import { type Key, keys } from '#shared/table/keys.ts';
import type { QueryPage, Table } from '#shared/table/table.ts';
import type { Conversation } from './conversation.ts';
import type { Message } from './message.ts';

/** Only its user finds a conversation. */
export function findConversation(
  table: Table,
  user_id: string,
  id: string,
): Promise<Conversation | undefined> {
  return table.get<Conversation>(keys.conversation(user_id, id));
}

/** The user's conversations with these ids that still exist, in the same order. */
export async function findConversations(
  table: Table,
  user_id: string,
  ids: string[],
): Promise<Conversation[]> {
  const found = await table.getMany<Conversation>(ids.map((id) => keys.conversation(user_id, id)));
  const byId = new Map(found.map((conversation) => [conversation.id, conversation]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A message's id sorts by time. */
export function messageKey(conversation_id: string, message_id: string): Key {
  return keys.conversationMessage(conversation_id, message_id);
}

/** The newest messages of a conversation, or the newest whose ids sort before `bound`; oldest first. */
export async function lastMessages(
  table: Table,
  conversation_id: string,
  count: number,
  bound?: string,
): Promise<Message[]> {
  const { PK, SK } = messageKey(conversation_id, bound ?? '');
  const found: Message[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const page: QueryPage<Message> = await table.query<Message>({
      partition: PK,
      sort: bound === undefined ? undefined : { before: SK },
      limit: count - found.length,
      newest_first: true,
      after,
    });
    found.push(...page.items);
    after = page.last;
  } while (after && found.length < count);
  return found.reverse();
}
