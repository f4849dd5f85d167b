import * as z from 'zod';
import { commentableTypes, singular } from '#shared/domain/collaboration/records/types.ts';
import { type AssistantReply, block, recordRef } from '#shared/domain/collaboration/replies/block.ts';
import {
  noSurroundings,
  presentReply,
  type Surroundings,
} from '#shared/domain/collaboration/replies/present.ts';
import { htmlLines, textOfLines } from '#shared/domain/platform/html/lines.ts';
import { blockRemote } from '#shared/domain/platform/html/remote.ts';
import { idFrom, type Uuid } from '#shared/ids.ts';
import { apart, derived, given, narrower, resource, type StoredFields } from '#shared/resource.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { timestamp, uuid } from '#shared/values.ts';
import { type Reaction, shownReaction, showReaction } from './reaction.ts';

const mention = z.strictObject({ id: uuid, user_id: uuid.nullable() });

const exampleId = (last: number) => `0198c0de-0000-7000-8000-00000000000${last}`;

const example = {
  id: exampleId(2),
  html_content: '<p>Can you call them, <strong>Grace</strong>?</p>',
  json_content: null,
  text: null,
  plain_text: 'Can you call them, Grace?',
  parent_comment_id: null,
  user_id: exampleId(1),
  contact_id: null,
  organization_id: null,
  deal_id: null,
  thread_id: exampleId(3),
  file_id: null,
  calendar_event_id: null,
  space_id: null,
  agent: null,
  status: 'complete',
  blocks: [],
  refs: [],
  mentions: [],
  reactions: [],
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: null,
} as const;

const comments = resource(
  'Comment',
  {
    id: given(uuid),
    html_content: apart(given(z.string().nullable())),
    json_content: given(z.string().nullable()),
    text: derived(z.string().nullable()),
    plain_text: derived(
      z.string().nullable().meta({
        description:
          'The comment as plain text, whoever wrote it. Null while a reply is pending, and in lists beyond 5 MB of text',
      }),
    ),
    parent_comment_id: given(uuid.nullable()),
    user_id: narrower(uuid.nullable(), uuid),
    contact_id: derived(uuid.nullable()),
    organization_id: derived(uuid.nullable()),
    deal_id: derived(uuid.nullable()),
    thread_id: derived(uuid.nullable()),
    file_id: derived(uuid.nullable()),
    calendar_event_id: derived(uuid.nullable()),
    space_id: derived(uuid.nullable()),
    agent: derived(z.enum(['assistant']).nullable()),
    status: derived(z.enum(['pending', 'complete', 'failed'])),
    blocks: derived(z.array(block)),
    refs: derived(z.array(recordRef)),
    mentions: derived(z.array(mention)),
    reactions: derived(z.array(shownReaction)),
    created_at: narrower(timestamp.nullable(), timestamp),
    updated_at: given(timestamp.nullable()),
  },
  { example },
);

/**
 * A comment, stored with its record; an item of its own names the record of each comment id. A deleted parent stays in
 * `parent_comment_id`: `withParents` removes it. `json_content` is a ProseMirror document as sent.
 */
export type Comment = StoredFields<typeof comments.fields> & {
  account_id: string;
  record_type: RecordType;
  record_id: string;
  /** Sanitized; null on assistant replies. */
  html_content: string | null;
  /** In document order. */
  mentioned_user_ids: string[];
  /** Set on comments of the assistant. Their user is the one who asked. */
  reply?: AssistantReply;
  /** Grows with every change, for optimistic locking. */
  version: number;
};

/** The content of a user's comment; the assistant writes text and blocks. */
export type CommentContent = Pick<Comment, 'html_content' | 'json_content'>;

/** The content is in the item itself or, when it is large, compressed in this many items after it. */
export type StoredComment = Item &
  Omit<Comment, keyof CommentContent> &
  Partial<CommentContent> & { parts?: number };

/** A comment with its reactions, oldest first. */
export interface WholeComment extends Comment {
  reactions: Reaction[];
}

/** A comment just written, and the pending reply when it asks the assistant. */
export interface WrittenComment {
  comment: WholeComment;
  reply: WholeComment | null;
}

/**
 * Names the record of a comment. Adding or removing a reaction also changes its counter, so no reaction is added to a
 * deleted comment.
 */
export type CommentPointer = Item & {
  record_type: RecordType;
  record_id: string;
  reaction_count?: number;
} & ReactionCounts;

/** The number of reactions by user id. */
type ReactionCounts = { [user_id: Uuid]: number };

/** Replies to a deleted comment stay, and become top-level (docs/specification/comments.md, "Comment deletion"). */
export function withParents<C extends Comment>(comments: C[]): C[] {
  const ids = new Set(comments.map((comment) => comment.id));
  return comments.map((comment) => {
    const parent = comment.parent_comment_id;
    return parent === null || ids.has(parent) ? comment : { ...comment, parent_comment_id: null };
  });
}

/** docs/specification/comments.md, "Comment". */
export const commentSchema = comments.response;

export type CommentRecord = z.infer<typeof commentSchema>;

type RecordField = `${ReturnType<typeof singular<(typeof commentableTypes)[number]>>}_id`;

/** Exactly one of the fields is set: the one of the record's type. */
function recordFields(comment: Comment): Record<RecordField, string | null> {
  const fields = commentableTypes.map((type) => [
    `${singular(type)}_id`,
    type === comment.record_type ? comment.record_id : null,
  ]);
  return Object.fromEntries(fields);
}

/** What creating and editing return. */
export const writtenComment = {
  comment: comments.response,
  reply: comments.response
    .nullable()
    .meta({ description: 'The pending reply of the assistant, when the comment asks it' }),
};

export const presentWritten = ({ comment, reply }: WrittenComment) => ({
  comment: presentComment(comment),
  reply: reply && presentComment(reply),
});

/** For comments of users. */
const written = { text: null, status: 'complete' } as const;

/** `around` is for presenting replies to the reader. */
export function presentComment(comment: WholeComment, around: Surroundings = noSurroundings): CommentRecord {
  const { reply } = comment;
  const shown = reply ? presentReply(reply, comment.user_id, around) : { ...written, blocks: [], refs: [] };
  return comments.present(comment, {
    // Comments from before external images were removed may contain one.
    html_content: comment.html_content && blockRemote(comment.html_content),
    ...recordFields(comment),
    agent: reply ? 'assistant' : null,
    ...shown,
    plain_text: reply ? shown.text : textOfLines(htmlLines(comment.html_content ?? '')),
    // A comment mentions a user once, so both ids together name the mention.
    mentions: comment.mentioned_user_ids.map((user_id) => ({ id: idFrom(comment.id, user_id), user_id })),
    reactions: comment.reactions.map(showReaction),
  });
}
