import { pendingReply } from '#shared/domain/collaboration/replies/block.ts';
import { countQuestion } from '#shared/domain/collaboration/replies/limit.ts';
import { questionJob } from '#shared/domain/collaboration/replies/question.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { mayAsk } from '#shared/domain/identity/users/policy.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { mustNotExist, type Write } from '#shared/table/table.ts';
import type { Conversation } from './conversation.ts';
import type { Message } from './message.ts';
import { requireConversation } from './policy.ts';
import { postingWrites, unchanged } from './posting.ts';
import { messageKey } from './store.ts';
import { titleOf } from './title.ts';

/** A question and its pending reply. */
export interface Exchange {
  message: Message & { text: string };
  reply: Message;
}

/**
 * Every message of a conversation has a millisecond of its own, after all earlier ones: a page that ends before a
 * timestamp skips none, and messages sort in the order of writing.
 */
function nextMoment({ last_message_at }: Conversation, now: Date): number {
  return Math.max(now.getTime(), last_message_at === null ? 0 : Date.parse(last_message_at) + 1);
}

function newExchange(conversation: Conversation, text: string, now: Date): Exchange {
  const common = (milliseconds: number) => {
    const created = new Date(milliseconds);
    const id = newId(created);
    const { id: conversation_id, user_id } = conversation;
    const created_at = created.toISOString();
    return { ...messageKey(conversation_id, id), id, conversation_id, user_id, created_at };
  };
  const asked = nextMoment(conversation, now);
  return { message: { ...common(asked), text }, reply: { ...common(asked + 1), reply: pendingReply } };
}

/** The conversation after a question. Its first one gives it a title, unless it has one. */
function grown(conversation: Conversation, { message, reply }: Exchange): Conversation {
  const { title, message_count } = conversation;
  const named = title ?? (message_count === 0 ? titleOf(message.text) : undefined);
  return {
    ...conversation,
    ...(named === undefined ? {} : { title: named }),
    message_count: message_count + 2,
    last_message_at: reply.created_at,
  };
}

/** Fails when the conversation was deleted, has new messages or another title. */
function writesOf(conversation: Conversation, exchange: Exchange): Write[] {
  const after = grown(conversation, exchange);
  return [
    { put: after, when: unchanged(conversation) },
    ...postingWrites(conversation, after),
    { put: exchange.message, when: mustNotExist },
    { put: exchange.reply, when: mustNotExist },
  ];
}

function jobOf(conversation: Conversation, { message, reply }: Exchange, now: Date) {
  const { id, account_id, user_id, record } = conversation;
  return questionJob(
    {
      reply_id: reply.id,
      account_id,
      user_id,
      text: message.text,
      record,
      place: { kind: 'message', conversation_id: id },
      source: { type: 'conversation', id },
    },
    now,
  );
}

/**
 * Asks the assistant. The question, the pending reply, the conversation's counters and the job are one transaction.
 * 404, then 422 when the assistant does not answer the caller, then 429.
 */
export async function ask(ctx: CallerContext, conversation_id: string, text: string): Promise<Exchange> {
  const { table, config } = ctx;
  const find = () => requireConversation(ctx, conversation_id);
  let seen: Conversation | undefined = await find();
  if (!mayAsk(ctx.caller, config)) throw new ApiError('assistant_unavailable');
  await countQuestion(table, ctx.caller.user.id, config.assistant.questions_per_minute, ctx.now);
  return retryOnConflict(async () => {
    const conversation = seen ?? (await find());
    seen = undefined;
    const exchange = newExchange(conversation, text, ctx.now);
    const job = jobOf(conversation, exchange, ctx.now);
    await commit(ctx, { writes: writesOf(conversation, exchange), jobs: [job] });
    return exchange;
  });
}
