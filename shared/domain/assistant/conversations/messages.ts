import * as z from 'zod';
import { RESPONSE_BYTES, weightOfReply } from '#shared/domain/collaboration/replies/weight.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { isUuid } from '#shared/ids.ts';
import { moment, readMoment } from '#shared/moments.ts';
import { idFloor } from '#shared/table/keys.ts';
import { uuid } from '#shared/values.ts';
import type { Message } from './message.ts';
import { requireConversation, requireMessage } from './policy.ts';
import { lastMessages } from './store.ts';

/** Where a page of messages ends: before a moment, or before a message. */
export const before = z.union([moment, uuid]);

/** The bound that the ids of the page sort before. 404 for a message that is not in the conversation. */
async function boundOf({ table, caller }: CallerContext, conversation_id: string, before: string) {
  if (!isUuid(before)) return idFloor(readMoment(before, caller.user.time_zone).getTime());
  return (await requireMessage(table, conversation_id, before)).id;
}

/** The newest messages that fit into a page, at least one. */
function newestThatFit(messages: Message[]): Message[] {
  let bytes = 0;
  const fitting = messages.toReversed().findIndex(({ reply, text }) => {
    const before = bytes;
    bytes += reply ? weightOfReply(reply) : Buffer.byteLength(JSON.stringify(text));
    return before > 0 && bytes > RESPONSE_BYTES;
  });
  return fitting < 0 ? messages : messages.slice(-fitting);
}

export interface MessagePage {
  /** Oldest first. */
  messages: Message[];
  has_more_before: boolean;
}

/** The newest messages of a conversation of the caller, or the newest before `before`: `limit` at most. */
export async function listMessages(
  ctx: CallerContext,
  conversation_id: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<MessagePage> {
  const [, bound] = await Promise.all([
    requireConversation(ctx, conversation_id),
    before === undefined ? undefined : boundOf(ctx, conversation_id, before),
  ]);
  const found = await lastMessages(ctx.table, conversation_id, limit + 1, bound);
  const messages = newestThatFit(found.slice(-limit));
  return { messages, has_more_before: found.length > messages.length };
}
