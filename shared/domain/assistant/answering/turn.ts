import type { QuestionJob } from '#shared/domain/collaboration/replies/question.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { queues } from '#shared/queues/queues.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { keys } from '#shared/table/keys.ts';
import { atMost, ConditionFailed, either, missing, present, type Table } from '#shared/table/table.ts';

/** One try at answering a question. */

/**
 * Milliseconds in which the answer must be ready. This leaves time to write it before the worker is stopped; soon
 * afterwards another worker may take the question.
 */
export const ANSWER_TIME = 90_000;
const LEASE = queues['reply-as-assistant'].timeout * 1_000 + 5_000;

/** Tries of a question; the last one ends it in any case. */
export const MAX_TRIES = 5;

/**
 * Takes the question for one try and counts it; undefined when it is already answered. Throws TryLater while another
 * worker has it: a message that is delivered twice does not call a model twice.
 */
export async function takeQuestion(
  table: Table,
  job_id: string,
  now: Date,
): Promise<QuestionJob | undefined> {
  try {
    return await table.update<QuestionJob>(keys.job(job_id), {
      set: { held_until: now.getTime() + LEASE },
      add: { tries: 1 },
      when: { PK: present, held_until: either(missing, atMost(now.getTime())) },
    });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const job = await table.get<QuestionJob>(keys.job(job_id));
    if (!job) return undefined;
    const seconds = Math.ceil(Math.max(1_000, (job.held_until ?? 0) - now.getTime()) / 1_000);
    throw new TryLater('Another worker answers this question', seconds);
  }
}

/** Releases it for another try. */
export async function giveBack(table: Table, { id, held_until = 0 }: QuestionJob): Promise<void> {
  try {
    await table.update<Job>(keys.job(id), { remove: ['held_until'], when: { held_until } });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
