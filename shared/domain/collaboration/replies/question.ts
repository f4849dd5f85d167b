import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import type { Ref } from './block.ts';

/** Where a reply is written: a comment by its id, a message of a conversation by its key. */
export type ReplyPlace = { kind: 'comment' } | { kind: 'message'; conversation_id: string };

/** What a user asked, and where the answer is awaited. */
export interface Question {
  reply_id: string;
  account_id: string;
  user_id: string;
  text: string;
  /** What it is about; null in a conversation without a record. */
  record: RecordRef | null;
  place: ReplyPlace;
  /** The asking comment, or the conversation: where proposals come from. */
  source: Ref;
}

/** The job that answers a question. Its id is the reply's: one reply has one job. */
export type QuestionJob = Job & {
  question: Question;
  /** How often it was taken for a try. */
  tries?: number;
};

/** It is enqueued in the transaction that writes the pending reply. */
export function questionJob(question: Question, now: Date): QuestionJob {
  return { ...newJob('reply-as-assistant', {}, now, question.reply_id), question };
}
