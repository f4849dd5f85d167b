import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import { mustExist } from '#shared/table/table.ts';
import type { Conversation, ConversationChanges } from './conversation.ts';
import { requireConversation, unlessGone } from './policy.ts';

/** Fields that are not sent stay. */
export async function updateConversation(
  ctx: CallerContext,
  id: string,
  { title }: ConversationChanges,
): Promise<Conversation> {
  if (title === undefined) return requireConversation(ctx, id);
  const updated_at = ctx.now.toISOString();
  return unlessGone(
    ctx.table.update<Conversation>(keys.conversation(ctx.caller.user.id, id), {
      set: { updated_at, title: title ?? undefined },
      remove: title === null ? ['title'] : [],
      when: mustExist,
    }),
  );
}
