import { asOfNow, type Context } from '#shared/context.ts';
import { lastMessages } from '#shared/domain/assistant/conversations/store.ts';
import { findVisible } from '#shared/domain/collaboration/records/registry.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import { type AssistantReply, refKey } from '#shared/domain/collaboration/replies/block.ts';
import type { Question, QuestionJob } from '#shared/domain/collaboration/replies/question.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { callerFor } from '#shared/domain/identity/users/caller-for.ts';
import { mayAsk } from '#shared/domain/identity/users/policy.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import type { Table } from '#shared/table/table.ts';
import type { Asked, PastTurn } from './assistant.ts';
import { ReplyDraft } from './draft.ts';
import { isTransient, ModelFailed } from './failure.ts';
import { finishReply } from './finish.ts';
import { type Reason, reasons } from './reasons.ts';
import type { AnsweringPorts, ToolContext } from './tools/context.ts';
import { toolbox } from './tools/toolbox.ts';
import { ANSWER_TIME, giveBack, MAX_TRIES, takeQuestion } from './turn.ts';
import { counted } from './usage.ts';

/** Messages of a conversation that an answer takes into account. */
const PAST = 30;

/** Ends a question without an answer. */
class Unanswered extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, options?: ErrorOptions) {
    super(`No answer: ${reason}`, options);
    this.name = 'Unanswered';
    this.reason = reason;
  }
}

/** The conversation before the question, without pending and failed replies. */
async function pastTurns(table: Table, conversation_id: string, reply_id: string): Promise<PastTurn[]> {
  const before = await lastMessages(table, conversation_id, PAST, reply_id);
  // The last one is the question.
  return before.slice(0, -1).flatMap(({ text, reply }): PastTurn[] => {
    if (!reply) return [{ role: 'user', text: text ?? '' }];
    return reply.status === 'complete' ? [{ role: 'assistant', text: reply.text ?? '' }] : [];
  });
}

async function askedOf(ctx: CallerContext<AnsweringPorts>, question: Question): Promise<Asked> {
  const { table, now } = ctx;
  const { place, record, reply_id } = question;
  const [seen, past] = await Promise.all([
    record && findVisible(ctx, record),
    place.kind === 'message' ? pastTurns(table, place.conversation_id, reply_id) : [],
  ]);
  if (record && !seen) throw new Unanswered('hidden');
  const { name, email_address, time_zone } = ctx.caller.user;
  return {
    text: question.text,
    asker: { name, email_address, time_zone },
    now,
    about: seen
      ? {
          type: singular(seen.type) as NonNullable<Asked['about']>['type'],
          id: seen.id,
          label: Object.values(seen.label)[0] ?? null,
        }
      : null,
    past,
  };
}

/** The reply with its proposals. Throws Unanswered, or an error that a retry may resolve. */
async function answer(ctx: Context<AnsweringPorts>, question: Question, deadline: number) {
  const { table, config } = ctx;
  const caller = await callerFor(table, question);
  if (!caller || !mayAsk(caller, config)) throw new Unanswered('off');
  const asking = { ...asOfNow(ctx), caller };
  const asked = await askedOf(asking, question);
  const assistant = ctx.ports.assistantOf(config);
  const draft = new ReplyDraft();
  const context: ToolContext = {
    ...asking,
    draft,
    source: question.source,
    given: new Set(),
  };
  const { account_id } = question;
  const { text } = await counted(ctx, { account_id, purpose: 'reply', assistant }, () =>
    assistant.answer(asked, toolbox(context), deadline),
  );
  if (text.trim() === '' && draft.isEmpty) throw new Unanswered('malformed');
  return { reply: draft.finish(text, (ref) => context.given.has(refKey(ref))), proposed: draft.writes };
}

function failedReply(reason: Reason): AssistantReply {
  return { status: 'failed', text: reasons[reason], blocks: [], refs: [] };
}

/** Why a retry is useless; undefined when it may succeed. */
function finalReason(error: unknown, tries: number): Reason | undefined {
  if (error instanceof Unanswered && error.reason !== 'malformed') return error.reason;
  if (error instanceof ModelFailed && !isTransient(error)) return error.reason;
  if (tries < MAX_TRIES) return undefined;
  return error instanceof Unanswered || error instanceof ModelFailed ? error.reason : 'unknown';
}

/** Ends the question after the last try; otherwise releases it and throws. */
async function endOrThrow(ctx: Context<AnsweringPorts>, job: QuestionJob, error: unknown): Promise<void> {
  const reason = finalReason(error, job.tries ?? 1);
  if (!reason) {
    await giveBack(ctx.table, job);
    const seconds = error instanceof ModelFailed ? (error.retry_after ?? 0) : 0;
    throw new TryLater('The question is asked again', seconds, { cause: error });
  }
  getLogger().error('question failed', {
    reply_id: job.question.reply_id,
    reason,
    tries: job.tries,
    error: describeError(error),
  });
  await finishReply(asOfNow(ctx), job, failedReply(reason), []);
}

/**
 * Answers the question of a job. The reply never stays pending: after the last try it fails with a reason, even when
 * workers were killed in all tries.
 */
export async function answerQuestion(ctx: Context<AnsweringPorts>, job_id: string): Promise<void> {
  const job = await takeQuestion(ctx.table, job_id, ctx.now);
  if (!job) return;
  if ((job.tries ?? 1) > MAX_TRIES) return finishReply(ctx, job, failedReply('too_often'), []);
  try {
    const { reply, proposed } = await answer(ctx, job.question, Date.now() + ANSWER_TIME);
    await finishReply(asOfNow(ctx), job, reply, proposed);
  } catch (error) {
    await endOrThrow(ctx, job, error);
  }
}
