import type { CommentView } from '../../../providers/assistant/views.ts';
import type { CommentRecord } from '../../comments/comment.ts';
import { htmlToText } from '../../html/text.ts';
import type { ToolContext } from './context.ts';

const COMMENTS = 10;
const CHARACTERS = 500;

export function shorten(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters - 1).trimEnd()}…`.toWellFormed() : text;
}

/** The newest comments, oldest first, without the one that asks and without replies that are not there yet. */
export function commentViews(
  comments: CommentRecord[],
  { source }: ToolContext,
  nameOf: (user_id: string) => string,
): CommentView[] {
  const asking = comments.find(({ id }) => id === source.id)?.parent_comment_id;
  return comments
    .filter(({ id, status }) => status === 'complete' && id !== asking)
    .slice(-COMMENTS)
    .map(({ agent, user_id, created_at, html_content, text }) => ({
      author: agent ? 'Assistant' : nameOf(user_id ?? ''),
      created_at: created_at ?? '',
      text: shorten(html_content === null ? (text ?? '') : htmlToText(html_content), CHARACTERS),
    }));
}
