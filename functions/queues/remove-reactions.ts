import { type LeftReactions, removeReactions } from '#shared/domain/collaboration/comments/delete.ts';
import { consume } from '#shared/queues/consume.ts';

/** Queue `remove-reactions`: removes the reactions of a deleted comment. */
export const handler = consume<LeftReactions & { job_id: string }>(
  'remove-reactions',
  ({ table }, { job_id, ...left }) => removeReactions(table, job_id, left),
);
