import * as z from 'zod';
import { sanitizeHtml } from '#shared/domain/platform/html/sanitize.ts';
import { refuse, requiredContent, showsSomething, text, uuid } from '#shared/values.ts';
import { readContent, readDocument } from './document.ts';

/** The request body of comments (docs/specification/comments.md, "HTML" and "Documents"). */

/** Characters of each content. */
const MAX_CONTENT = 200_000;

/** Only images, rules and text are visible; in sanitized HTML every ">" ends a tag. */
const isVisible = (sanitized: string) =>
  /<(?:img|hr)[ />]/.test(sanitized) || showsSomething(sanitized.replace(/<[^>]*>/g, ''));

/** Parsed to sanitized HTML; content that shows nothing is missing. */
const htmlContent = requiredContent(MAX_CONTENT)
  .transform((html, context) => {
    const sanitized = sanitizeHtml(html, 'comment');
    if (!isVisible(sanitized)) refuse(context, 'required', 'must not be empty');
    return sanitized;
  })
  .meta({ example: '<p>Can you call them, <strong>Grace</strong>?</p>' });

/** Parsed together with what the document contains. */
const jsonContent = text(MAX_CONTENT)
  .transform((source, context) => {
    const document = readDocument(source);
    if (document) return { source, ...readContent(document) };
    refuse(context, 'invalid_format', 'must be the JSON of a document: {"type": "doc", ...}');
    return z.NEVER;
  })
  .meta({
    description: 'The same as the JSON of a ProseMirror document. Mentions are read from here.',
    example: '{"type":"doc","content":[]}',
  });

/** Ids in `mentioned_user_ids`. */
const MAX_MENTIONED = 100;

const content = z.object({
  html_content: htmlContent,
  json_content: jsonContent.nullish(),
  mentioned_user_ids: z
    .array(uuid)
    .max(MAX_MENTIONED)
    .optional()
    .meta({
      description: `Users to mention besides those of the document, at most ${MAX_MENTIONED}: for clients without a rich-text editor`,
    }),
});

export const commentDraft = content
  .extend({ parent_comment_id: uuid.optional() })
  .meta({ id: 'CommentDraft' });

export type CommentDraft = z.infer<typeof commentDraft>;

/** Without `json_content` the document stays, with its mentions; null removes both. `mentioned_user_ids` add to it. */
export const commentEdit = content.meta({ id: 'CommentEdit' });

export type CommentEdit = z.infer<typeof commentEdit>;
