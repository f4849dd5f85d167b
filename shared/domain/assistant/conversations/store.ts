import type { RecordRef, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { requireVisible } from '#shared/domain/collaboration/records/registry.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { recordNotFound } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { ConditionFailed, mustExist, mustNotExist, type QueryPage, type Table } from '#shared/table/table.ts';
import {
  type Conversation,
  type ConversationChanges,
  type ConversationDraft,
  contextOf,
} from './conversation.ts';
import type { Message } from './message.ts';

/** Only its user finds a conversation. */
export function findConversation(
  table: Table,
  user_id: string,
  id: string,
): Promise<Conversation | undefined> {
  return table.get<Conversation>(keys.conversation(user_id, id));
}

/** 404 for everybody else's. */
export async function requireConversation(
  { table, caller }: CallerContext,
  id: string,
): Promise<Conversation> {
  const conversation = await findConversation(table, caller.user.id, id);
  if (!conversation) throw recordNotFound();
  return conversation;
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

/** The record where it is now: a merged thread is another one. */
async function requireContext(ctx: CallerContext<SeesRecords>, record: RecordRef): Promise<RecordRef> {
  const { type, id } = await requireVisible(ctx, record);
  return { type, id };
}

/** 404 when the caller does not see the record that it is to be about. */
export async function createConversation(
  ctx: CallerContext<SeesRecords>,
  draft: ConversationDraft,
): Promise<Conversation> {
  const context = contextOf(draft);
  const id = newId(ctx.now);
  const conversation: Conversation = {
    ...keys.conversation(ctx.caller.user.id, id),
    id,
    account_id: ctx.caller.account.id,
    user_id: ctx.caller.user.id,
    ...(draft.title === null ? {} : { title: draft.title }),
    record: context && (await requireContext(ctx, context)),
    message_count: 0,
    last_message_at: null,
    created_at: ctx.now.toISOString(),
    updated_at: null,
  };
  await ctx.table.put(conversation, mustNotExist);
  return conversation;
}

/** What is not sent stays as it is. */
export async function updateConversation(
  ctx: CallerContext,
  id: string,
  { title }: ConversationChanges,
): Promise<Conversation> {
  if (title === undefined) return requireConversation(ctx, id);
  const updated_at = ctx.now.toISOString();
  try {
    return await ctx.table.update<Conversation>(keys.conversation(ctx.caller.user.id, id), {
      set: { updated_at, title: title ?? undefined },
      remove: title === null ? ['title'] : [],
      when: mustExist,
    });
  } catch (error) {
    if (error instanceof ConditionFailed) throw recordNotFound();
    throw error;
  }
}
