import type { QuestionJob } from '#shared/domain/collaboration/replies/question.ts';
import { queues } from '#shared/queues/queues.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Table } from '#shared/table/table.ts';

/** One try at answering a question. */

/**
 * Milliseconds in which the answer has to be there. Then there is time to write it before the worker is stopped, and a
 * worker that was stopped is no longer waited for a little later.
 */
export const ANSWER_TIME = 90_000;
const LEASE = queues['reply-as-assistant'].timeout * 1_000 + 5_000;

/** Tries of which the last one ends the question, whatever comes of it. */
export const MAX_TRIES = 5;

/**
 * Takes the question for one try and counts it; undefined when it is answered already. Throws TryLater while another
 * worker has it: a message that comes twice does not ask a model twice.
 */
export async function takeQuestion(
  table: Table,
  job_id: string,
  now: Date,
): Promise<QuestionJob | undefined> {
  try {
    return await table.update<QuestionJob>(keys.job(job_id), {
      update: 'SET held_until = :until ADD tries :one',
      condition: 'attribute_exists(PK) AND (attribute_not_exists(held_until) OR held_until <= :now)',
      values: { ':until': now.getTime() + LEASE, ':now': now.getTime(), ':one': 1 },
    });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const job = await table.get<QuestionJob>(keys.job(job_id));
    if (!job) return undefined;
    const seconds = Math.ceil(Math.max(1_000, (job.held_until ?? 0) - now.getTime()) / 1_000);
    throw new TryLater('Another worker answers this question', seconds);
  }
}

/** Gives it back for another try. */
export async function giveBack(table: Table, { id, held_until }: QuestionJob): Promise<void> {
  try {
    await table.update(keys.job(id), {
      update: 'REMOVE held_until',
      condition: 'held_until = :until',
      values: { ':until': held_until },
    });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
