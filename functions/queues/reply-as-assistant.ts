import { answerQuestion } from '#shared/domain/assistant/answering/answer-question.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';

/** Queue `assistant-reply`: answers what users asked the assistant. */
export const handler = consume<{ job_id: string }>(
  'reply-as-assistant',
  ({ job_id }, services) => answerQuestion(services, job_id),
  { onFailure: (record, error) => postpone('assistant-reply', record, error) },
);
