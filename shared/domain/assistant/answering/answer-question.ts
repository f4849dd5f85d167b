import { asOfNow } from '#shared/context.ts';
import type { AssistantReply } from '#shared/domain/collaboration/replies/block.ts';
import type { Question, QuestionJob, ReplyPlace } from '#shared/domain/collaboration/replies/question.ts';
import { callerFor } from '#shared/domain/identity/users/caller-for.ts';
import { mayAsk } from '#shared/domain/identity/users/policy.ts';
import { noChange } from '#shared/domain/platform/jobs/commit.ts';
import { freeJob } from '#shared/domain/platform/jobs/hold.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { isTransient, ModelFailed } from './failure.ts';
import { finishReply } from './finish.ts';
import { type Reason, reasons } from './reasons.ts';
import { ANSWER_TIME, MAX_TRIES, takeQuestion } from './turn.ts';
import { type Conclusion, Unanswered, type WorkContext, type Works } from './work.ts';

/** What there is to say without the assistant: this work asks `mayAsk` itself. */
const standsAlone: ReplyPlace['kind'][] = ['briefing'];

async function work(
  ctx: WorkContext,
  question: Question,
  works: Works,
  deadline: number,
): Promise<Conclusion> {
  const caller = await callerFor(ctx.table, question);
  const { kind } = question.place;
  if (!caller || !(standsAlone.includes(kind) || mayAsk(caller, ctx.config))) throw new Unanswered('off');
  return works[kind]({ ...asOfNow(ctx), caller }, question, deadline);
}

function failed(reason: Reason): Conclusion {
  const reply: AssistantReply = { status: 'failed', text: reasons[reason], blocks: [], refs: [] };
  return async () => ({ reply, ...noChange });
}

/** Why a retry is useless; undefined when it may succeed. */
function finalReason(error: unknown, tries: number): Reason | undefined {
  if (error instanceof Unanswered && error.reason !== 'malformed') return error.reason;
  if (error instanceof ModelFailed && !isTransient(error)) return error.reason;
  if (tries < MAX_TRIES) return undefined;
  return error instanceof Unanswered || error instanceof ModelFailed ? error.reason : 'unknown';
}

/** Ends the question after the last try; otherwise releases it and throws. */
async function endOrThrow(ctx: WorkContext, job: QuestionJob, error: unknown): Promise<void> {
  const reason = finalReason(error, job.tries ?? 1);
  if (!reason) {
    await freeJob(ctx.table, job);
    const seconds = error instanceof ModelFailed ? (error.retry_after ?? 0) : 0;
    throw new TryLater('The question is asked again', seconds, { cause: error });
  }
  getLogger().error('question failed', {
    reply_id: job.question.reply_id,
    reason,
    tries: job.tries,
    error: describeError(error),
  });
  await finishReply(asOfNow(ctx), job, failed(reason));
}

/**
 * Answers the question of a job. The reply never stays pending: after the last try it fails with a reason, even when
 * workers were killed in all tries.
 */
export async function answerQuestion(ctx: WorkContext, job_id: string, works: Works): Promise<void> {
  const job = await takeQuestion(ctx.table, job_id, ctx.now);
  if (!job) return;
  if ((job.tries ?? 1) > MAX_TRIES) return finishReply(ctx, job, failed('too_often'));
  try {
    const conclude = await work(ctx, job.question, works, Date.now() + ANSWER_TIME);
    await finishReply(asOfNow(ctx), job, conclude);
  } catch (error) {
    await endOrThrow(ctx, job, error);
  }
}
