import { type LeftMessages, removeMessages } from '#shared/domain/assistant/conversations/delete.ts';
import { consume } from '#shared/queues/consume.ts';

/** Queue `remove-messages`: removes the messages of a deleted conversation. */
export const handler = consume<LeftMessages & { job_id: string }>(
  'remove-messages',
  ({ table }, { job_id, ...left }) => removeMessages(table, job_id, left),
);
