import type { CommentRecord } from '#shared/domain/collaboration/comments/comment.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import { htmlToText } from '#shared/domain/platform/html/text.ts';
import type { CommentView } from '../views.ts';
import type { ToolContext } from './context.ts';

const COMMENTS = 10;
const CHARACTERS = 500;

export function shorten(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters - 1).trimEnd()}…`.toWellFormed() : text;
}

/** The newest comments, oldest first, without the asking one and without pending replies. */
export async function commentViews(
  { table, caller, source }: ToolContext,
  comments: CommentRecord[],
): Promise<CommentView[]> {
  const asking = comments.find(({ id }) => id === source.id)?.parent_comment_id;
  const told = comments.filter(({ id, status }) => status === 'complete' && id !== asking).slice(-COMMENTS);
  const authors = [...new Set(told.flatMap(({ user_id }) => user_id ?? []))];
  const users = await findUsers(table, caller.account.id, authors);
  const names = new Map(users.map((user) => [user.id, user.name]));
  return told.map(({ agent, user_id, created_at, html_content, text }) => ({
    author: agent ? 'Assistant' : (names.get(user_id ?? '') ?? 'Somebody'),
    created_at: created_at ?? '',
    text: shorten(html_content === null ? (text ?? '') : htmlToText(html_content), CHARACTERS),
  }));
}
