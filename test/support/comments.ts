import type {
  Comment,
  CommentPointer,
  CommentRecord,
} from '#shared/domain/collaboration/comments/comment.ts';
import { commentItems } from '#shared/domain/collaboration/comments/content.ts';
import type { Reaction } from '#shared/domain/collaboration/comments/reaction.ts';
import type { AssistantReply } from '#shared/domain/collaboration/replies/block.ts';
import { newId } from '#shared/ids.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { GivenThread } from './threads.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Comments on threads, for tests of their life. */

const onThread = (thread: { id: string }) => ({ record_type: 'threads' as const, record_id: thread.id });

export async function givenComment(
  author: TestUser,
  thread: { id: string },
  draft: object = {},
): Promise<CommentRecord> {
  const body = { comment: { html_content: '<p>Hello</p>', ...draft } };
  return (await author.api.createComment({ params: onThread(thread), body })).body.comment;
}

export async function commentsOf(reader: TestUser, thread: { id: string }): Promise<CommentRecord[]> {
  return (await reader.reader.listComments({ params: onThread(thread) })).body.comments;
}

/** The comment as its record lists it; undefined when it is gone. */
export async function listed(reader: TestUser, thread: { id: string }, id: string) {
  return (await commentsOf(reader, thread)).find((comment) => comment.id === id);
}

export async function givenReaction(user: TestUser, comment: { id: string }, text = '👍') {
  const params = { comment_id: comment.id };
  return (await user.api.addReaction({ params, body: { reaction: { text } } })).body.reaction;
}

/** Reactions written straight into the table, for comments with very many. */
export async function givenReactions(
  workspace: Workspace,
  user: TestUser,
  thread: { id: string },
  comment: { id: string },
  count: number,
  type: RecordType = 'threads',
): Promise<void> {
  const now = new Date();
  const reactions = Array.from({ length: count }, (_, i): Reaction => {
    const id = newId(now);
    return {
      ...keys.reaction(type, thread.id, comment.id, id),
      id,
      comment_id: comment.id,
      user_id: user.user.id,
      text: `${i}`,
      created_at: now.toISOString(),
    };
  });
  for (let at = 0; at < count; at += 100)
    await workspace.table.transact(reactions.slice(at, at + 100).map((put) => ({ put })));
  await workspace.table.update<CommentPointer>(keys.commentPointer(comment.id), {
    set: { reaction_count: count },
  });
}

/** A reply of the assistant to a question of the user, as the assistant leaves it. */
export async function givenReply(
  workspace: Workspace,
  asker: TestUser,
  thread: GivenThread,
  reply: Partial<AssistantReply> & { parent_comment_id?: string } = {},
): Promise<Comment> {
  const { parent_comment_id = null, ...written } = reply;
  const now = new Date();
  const comment: Comment = {
    id: newId(now),
    account_id: asker.user.account_id,
    record_type: 'threads',
    record_id: thread.id,
    user_id: asker.user.id,
    parent_comment_id,
    html_content: null,
    json_content: null,
    mentioned_user_ids: [],
    reply: { status: 'complete', text: 'On Thursday.', blocks: [], refs: [], ...written },
    created_at: now.toISOString(),
    updated_at: null,
    version: 1,
  };
  const { record_type, record_id } = comment;
  const pointer = { ...keys.commentPointer(comment.id), record_type, record_id };
  await workspace.table.transact([...commentItems(comment), pointer].map((put) => ({ put })));
  return comment;
}

/** The items of a comment in the table: none after its deletion. */
export async function remains(workspace: Workspace, thread: { id: string }, comment: { id: string }) {
  const { PK } = keys.record('threads', thread.id);
  const items = (await workspace.table.all(PK)).filter(({ SK }) => SK.includes(comment.id));
  const pointer = await workspace.table.get(keys.commentPointer(comment.id));
  return [...items, ...(pointer ? [pointer] : [])].map(({ SK }) => SK);
}

/** The events that a user was told about a record, newest first. */
export async function eventsOf(user: TestUser, record: { id: string }): Promise<(string | null)[]> {
  const { body } = await user.reader.listNotifications({ query: { limit: 100 } });
  return body.collection.records.filter((each) => each.payload?.id === record.id).map((each) => each.event);
}
