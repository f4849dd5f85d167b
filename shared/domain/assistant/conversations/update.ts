import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Conversation, ConversationChanges } from './conversation.ts';
import { requireConversation } from './policy.ts';
import { postingWrites, unchanged } from './posting.ts';

function renamed({ title: _, ...rest }: Conversation, title: string | null, now: Date): Conversation {
  return { ...rest, ...(title === null ? {} : { title }), updated_at: nextMoment(rest, now) };
}

/** Fields that are not sent stay. */
export function updateConversation(
  ctx: CallerContext,
  id: string,
  { title }: ConversationChanges,
): Promise<Conversation> {
  return retryOnConflict(async () => {
    const before = await requireConversation(ctx, id);
    requireVersion(ctx, id, before);
    if (title === undefined) return before;
    const after = renamed(before, title, ctx.now);
    await ctx.table.transact([{ put: after, when: unchanged(before) }, ...postingWrites(before, after)]);
    return after;
  });
}
