import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import type { Ref } from './block.ts';

/**
 * Where the reply is stored: a comment by its id, a message of a conversation by its key, the brief of an event before
 * and after the meeting, the enrichment of a contact for its user, and the briefing of its user for a day.
 */
export type ReplyPlace =
  | { kind: 'comment' }
  | { kind: 'message'; conversation_id: string }
  | { kind: 'brief'; calendar_event_id: string }
  | { kind: 'meeting'; calendar_event_id: string; transcript_id: string }
  | { kind: 'enrichment'; contact_id: string }
  | { kind: 'briefing'; date: string };

/** A user's question, and where its reply is pending. */
export interface Question {
  reply_id: string;
  account_id: string;
  user_id: string;
  text: string;
  /** The record it is about; null in a conversation without one. */
  record: RecordRef | null;
  place: ReplyPlace;
  /** The comment or conversation with the question, or the record it is about: the source of proposals. */
  source: Ref;
}

/** The job that answers a question. Its id is the reply's: one reply has one job. */
export type QuestionJob = Job & {
  question: Question;
  /** The number of tries so far. */
  tries?: number;
};

/** Belongs in the transaction that writes the pending reply. */
export function questionJob(question: Question, now: Date): QuestionJob {
  return { ...newJob('reply-as-assistant', {}, now, question.reply_id), question };
}
