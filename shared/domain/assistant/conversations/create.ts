import type { RecordRef, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { requireVisible } from '#shared/domain/collaboration/records/registry.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist } from '#shared/table/table.ts';
import { type Conversation, type ConversationDraft, contextOf } from './conversation.ts';
import { postingWrites } from './posting.ts';

/** The record where it is now: a merged thread is another one. */
async function requireContext(ctx: CallerContext<SeesRecords>, record: RecordRef): Promise<RecordRef> {
  const { type, id } = await requireVisible(ctx, record);
  return { type, id };
}

/** 404 when the caller does not see its record. */
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
  await ctx.table.transact([
    { put: conversation, when: mustNotExist },
    ...postingWrites(undefined, conversation),
  ]);
  return conversation;
}
