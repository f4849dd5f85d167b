import { actions } from '#shared/composition/actions.ts';
import { assistant } from '#shared/composition/assistant.ts';
import { contacts } from '#shared/composition/contact-book.ts';
import { keeping } from '#shared/composition/keeping.ts';
import { lists } from '#shared/composition/lists.ts';
import { replies } from '#shared/composition/replies.ts';
import { tools } from '#shared/composition/tools.ts';
import { answerQuestion } from '#shared/domain/assistant/answering/answer-question.ts';
import type { AnsweringPorts } from '#shared/domain/assistant/answering/tools/context.ts';
import { works } from '#shared/domain/assistant/works.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';

/** Queue `reply-as-assistant`: answers questions to the assistant, and does what users ask its agents for. */
export const handler = consume<{ job_id: string }, AnsweringPorts>(
  'reply-as-assistant',
  (ctx, { job_id }) => answerQuestion(ctx, job_id, works),
  {
    onFailure: (ctx, record, error) => postpone(ctx, 'reply-as-assistant', record, error),
    ports: { ...keeping, ...replies, ...contacts, ...lists, ...actions, ...tools, ...assistant },
  },
);
