import { expect } from 'vitest';
import type { commentable } from '#shared/composition/commenting.ts';
import type { CommentRecord } from '#shared/domain/collaboration/comments/comment.ts';
import type { QuestionJob } from '#shared/domain/collaboration/replies/question.ts';
import { handler } from '../../functions/queues/reply-as-assistant.ts';
import { documentOf, mention } from './documents.ts';
import { deliverMessages, openJobs } from './jobs.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Questions to the assistant in comments, and its replies. */

export type AskedRecord = {
  record_type: (typeof commentable)[number];
  record_id: string;
};

/** A document that mentions the assistant, with the question after it. */
export function questionOf(question: string): string {
  return documentOf({ type: 'text', text: 'Hm. ' }, mention('assistant'), {
    type: 'text',
    text: ` ${question}`,
  });
}

export async function ask(user: TestUser, params: AskedRecord, question: string): Promise<CommentRecord> {
  const comment = { html_content: '<p>A question</p>', json_content: questionOf(question) };
  return (await user.api.createComment({ params, body: { comment } })).body.comment;
}

export async function repliesTo(reader: TestUser, params: AskedRecord, comment: { id: string }) {
  const { comments } = (await reader.reader.listComments({ params })).body;
  return comments.filter(({ parent_comment_id, agent }) => agent && parent_comment_id === comment.id);
}

/** The reply once it is no longer pending. */
export async function finishedReply(
  reader: TestUser,
  params: AskedRecord,
  comment: { id: string },
): Promise<CommentRecord> {
  let reply: CommentRecord | undefined;
  await expect
    .poll(
      async () => {
        [reply] = await repliesTo(reader, params, comment);
        return reply?.status ?? 'pending';
      },
      { timeout: 20_000 },
    )
    .not.toBe('pending');
  return reply as CommentRecord;
}

export const openQuestions = ({ table }: Workspace) => openJobs<QuestionJob>(table, 'reply-as-assistant');

/** Delivers a question's message to the worker like SQS. Returns the number of failed messages. */
export async function deliverQuestion(...ids: string[]): Promise<number> {
  const messages = ids.map((job_id) => ({ job_id }));
  return (await deliverMessages(handler, messages)).failed.length;
}

/** A question whose message the test delivers, with functions to read its reply. */
export async function givenQuestion(user: TestUser, params: AskedRecord, question: string) {
  const comment = await ask(user, params, question);
  const [reply] = await repliesTo(user, params, comment);
  const id = reply?.id as string;
  return {
    comment,
    id,
    shown: async (reader = user) => (await repliesTo(reader, params, comment))[0],
  };
}
