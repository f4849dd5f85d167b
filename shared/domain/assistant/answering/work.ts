import type { Context } from '#shared/context.ts';
import type { AssistantReply } from '#shared/domain/collaboration/replies/block.ts';
import type { Question, ReplyPlace } from '#shared/domain/collaboration/replies/question.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Change } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError } from '#shared/errors.ts';
import type { Reason } from './reasons.ts';
import type { AnsweringPorts } from './tools/context.ts';

/** What the assistant does for a question. A file for each kind of work; shared/domain/assistant/works.ts lists them. */

/** A reply with what it proposes. */
export interface Outcome extends Change {
  reply: AssistantReply;
}

/** Reads the tables again each time it is called, when the outcome depends on what may change meanwhile. */
export type Conclusion = () => Promise<Outcome>;

/**
 * Asks the assistant. The caller is the user who asked. Throws Unanswered, or an error that a retry may resolve; may
 * take until `deadline` (milliseconds).
 */
export type Work = (
  ctx: CallerContext<AnsweringPorts>,
  question: Question,
  deadline: number,
) => Promise<Conclusion>;

export type Works = Record<ReplyPlace['kind'], Work>;

export type WorkContext = Context<AnsweringPorts>;

/** Ends a question without an answer. */
export class Unanswered extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, options?: ErrorOptions) {
    super(`No answer: ${reason}`, options);
    this.name = 'Unanswered';
    this.reason = reason;
  }
}

/** An outcome that is not possible any more ends its question: the user may not make that change, or nobody can. */
export async function possible(outcome: Promise<Outcome>): Promise<Outcome> {
  try {
    return await outcome;
  } catch (error) {
    if (!(error instanceof ApiError) || error.meaning === 'fault') throw error;
    const gone = error.meaning === 'missing' || error.meaning === 'denied';
    throw new Unanswered(gone ? 'hidden' : 'impossible', { cause: error });
  }
}
