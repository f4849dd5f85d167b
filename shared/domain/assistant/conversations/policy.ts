import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { recordNotFound } from '#shared/errors.ts';
import type { Table } from '#shared/table/table.ts';
import type { Conversation } from './conversation.ts';
import type { Message } from './message.ts';
import { findConversation, messageKey } from './store.ts';

/** Conversations are private: only their users find them. */

/** 404 for another user's conversation. */
export async function requireConversation(
  { table, caller }: CallerContext,
  id: string,
): Promise<Conversation> {
  const conversation = await findConversation(table, caller.user.id, id);
  if (!conversation) throw recordNotFound();
  return conversation;
}

/** 404 for a message that the conversation does not have. */
export async function requireMessage(table: Table, conversation_id: string, id: string): Promise<Message> {
  const message = await table.get<Message>(messageKey(conversation_id, id));
  if (!message) throw recordNotFound();
  return message;
}
