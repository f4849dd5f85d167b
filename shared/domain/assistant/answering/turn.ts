import type { QuestionJob } from '#shared/domain/collaboration/replies/question.ts';
import { holdJob } from '#shared/domain/platform/jobs/hold.ts';
import { queues } from '#shared/queues/queues.ts';
import type { Table } from '#shared/table/table.ts';

/** One try at answering a question. */

/**
 * Milliseconds in which the answer must be ready. This leaves time to write it before the worker is stopped; soon
 * afterwards another worker may take the question.
 */
export const ANSWER_TIME = 90_000;
const LEASE = queues['reply-as-assistant'].timeout * 1_000 + 5_000;

/** Tries of a question; the last one ends it in any case. */
export const MAX_TRIES = 5;

/** Takes the question for one try and counts it; undefined when it is already answered. */
export function takeQuestion(table: Table, job_id: string, now: Date): Promise<QuestionJob | undefined> {
  return holdJob<QuestionJob>(table, job_id, { now, milliseconds: LEASE, add: { tries: 1 } });
}
