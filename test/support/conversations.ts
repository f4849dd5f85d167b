import type { Conversation } from '#shared/domain/assistant/conversations/conversation.ts';
import type { Message } from '#shared/domain/assistant/conversations/message.ts';
import { LIST, postingWrites } from '#shared/domain/assistant/conversations/posting.ts';
import { findConversation, messageKey } from '#shared/domain/assistant/conversations/store.ts';
import type { AssistantReply } from '#shared/domain/collaboration/replies/block.ts';
import type { QuestionJob } from '#shared/domain/collaboration/replies/question.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { at } from '#shared/table/table.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Conversations without a worker: tests write the answers of the assistant. */

/** For tests that ask more than a user may. */
export function allowAllQuestions({ ctx }: Workspace): void {
  ctx.config.assistant.questions_per_minute = Number.POSITIVE_INFINITY;
}

export async function givenConversation(user: TestUser, draft: object = {}): Promise<string> {
  return (await user.api.createConversation({ body: { conversation: draft } })).body.conversation.id;
}

export const ask = (user: TestUser, conversation_id: string, text = 'What did we promise?') =>
  user.api.createMessage({ params: { conversation_id }, body: { message: { text } } });

export async function conversationOf(user: TestUser, id: string) {
  return (await user.reader.retrieveConversation({ params: { id } })).body.conversation;
}

/** All of a conversation of 100 messages at most, oldest first. */
export async function messagesOf(user: TestUser, conversation_id: string) {
  const query = { limit: 100 };
  return (await user.reader.listMessages({ params: { conversation_id }, query })).body.messages;
}

/** Answers like the assistant: only a reply that exists and is pending. */
export function answer(workspace: Workspace, { conversation_id, id }: MessageRef, reply: AssistantReply) {
  return workspace.table.update<Message>(messageKey(conversation_id, id), {
    set: { reply },
    when: { reply: at('status', 'pending' as const) },
  });
}

type MessageRef = { conversation_id: string; id: string };

/** Messages written straight into the table, for conversations with very many. */
export async function givenMessages(
  workspace: Workspace,
  user: TestUser,
  conversation_id: string,
  count: number,
): Promise<void> {
  const start = Date.UTC(2026, 10, 20, 9);
  const messages = Array.from({ length: count }, (_, i): Message => {
    const created = new Date(start + i);
    const id = newId(created);
    return {
      ...messageKey(conversation_id, id),
      id,
      conversation_id,
      user_id: user.user.id,
      created_at: created.toISOString(),
      text: `Number ${i}`,
    };
  });
  await workspace.table.writeMany(messages.map((put) => ({ put })));
  const last_message_at = new Date(start + count - 1).toISOString();
  await setMessages(workspace, user.user.id, conversation_id, { message_count: count, last_message_at });
}

/** Writes the conversation as after so many messages, the last one at `last_message_at`. */
export async function setMessages(
  { table }: Workspace,
  user_id: string,
  conversation_id: string,
  changes: Pick<Conversation, 'last_message_at'> & Partial<Conversation>,
): Promise<void> {
  const before = await findConversation(table, user_id, conversation_id);
  if (!before) throw new Error(`No conversation ${conversation_id}`);
  const after = { ...before, ...changes };
  await table.transact([{ put: after }, ...postingWrites(before, after)]);
}

/** What the table keeps of a user's conversations, and what its list has of them. */
export async function storedConversations({ table }: Workspace, user_id: string) {
  const { PK, SK } = keys.conversation(user_id, '');
  const [conversations, postings] = await Promise.all([
    table.all<Conversation>(PK, SK),
    table.all<Posting>(keys.posting(user_id, LIST, '').PK),
  ]);
  const expected = conversations.flatMap((each) => postingWrites(undefined, each));
  return { conversations, postings, expected: expected.map((write) => 'put' in write && write.put) };
}

/** The items of a conversation's messages in the table. */
export function storedMessages(workspace: Workspace, conversation_id: string): Promise<Message[]> {
  return workspace.table.all<Message>(messageKey(conversation_id, '').PK);
}

/** The jobs of pending replies in a conversation. */
export async function questionJobs({ table }: Workspace, conversation_id: string): Promise<QuestionJob[]> {
  const shards = [0, 1, 2, 3].map((shard) => table.all<QuestionJob>(keys.jobShard(shard).PK));
  const jobs = (await Promise.all(shards)).flat().filter(({ queue }) => queue === 'reply-as-assistant');
  return jobs.filter(({ question }) => question.source.id === conversation_id);
}
