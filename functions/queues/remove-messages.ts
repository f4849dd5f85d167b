import { type LeftMessages, removeMessages } from '#shared/domain/assistant/conversations/delete.ts';
import { consume } from '#shared/queues/consume.ts';

/** Queue `remove-messages`: takes away what a deleted conversation left behind. */
export const handler = consume<LeftMessages & { job_id: string }>(
  'remove-messages',
  ({ table }, { job_id, ...left }) => removeMessages(table, job_id, left),
);
