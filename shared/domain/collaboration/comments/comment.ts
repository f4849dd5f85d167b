import * as z from 'zod';
import { commentableTypes, singular } from '#shared/domain/collaboration/records/types.ts';
import { type AssistantReply, block, recordRef } from '#shared/domain/collaboration/replies/block.ts';
import {
  noSurroundings,
  presentReply,
  type Surroundings,
} from '#shared/domain/collaboration/replies/present.ts';
import { blockRemote } from '#shared/domain/platform/html/remote.ts';
import { idFrom, type Uuid } from '#shared/ids.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { timestamp, uuid } from '#shared/values.ts';
import { type Reaction, shownReaction, showReaction } from './reaction.ts';

/** What is read in a comment: of a user's its HTML, the assistant writes text and blocks. */
export interface CommentContent {
  /** Sanitized; null on assistant replies. */
  html_content: string | null;
  /** A ProseMirror document as sent. */
  json_content: string | null;
}

/** A comment. It is stored with its record; an item of its own tells the record of a comment's id. */
export interface Comment extends CommentContent {
  id: string;
  account_id: string;
  record_type: RecordType;
  record_id: string;
  user_id: string;
  /** A parent that was deleted stays named; `withParents` leaves it out. */
  parent_comment_id: string | null;
  /** In the order of the document. */
  mentioned_user_ids: string[];
  /** What makes it a comment of the assistant. Its user is the one who asked. */
  reply?: AssistantReply;
  created_at: string;
  updated_at: string | null;
  /** Grows with every change of the comment. */
  version: number;
}

/** The content is in the item itself or, when it is large, compressed in so many items behind it. */
export type StoredComment = Item &
  Omit<Comment, keyof CommentContent> &
  Partial<CommentContent> & { parts?: number };

/** A comment with its reactions, oldest first. */
export interface WholeComment extends Comment {
  reactions: Reaction[];
}

/** Where a comment is. Whatever adds or removes a reaction counts here, so that none is added to a deleted comment. */
export type CommentPointer = Item & {
  record_type: RecordType;
  record_id: string;
  reaction_count?: number;
} & ReactionCounts;

/** How many reactions of each user, by the id. */
type ReactionCounts = { [user_id: Uuid]: number };

/**
 * Replies of a deleted comment, however many, are kept and top-level
 * (docs/specification/comments.md, "Comment deletion").
 */
export function withParents<C extends Comment>(comments: C[]): C[] {
  const ids = new Set(comments.map((comment) => comment.id));
  return comments.map((comment) => {
    const parent = comment.parent_comment_id;
    return parent === null || ids.has(parent) ? comment : { ...comment, parent_comment_id: null };
  });
}

const mention = z.strictObject({ id: uuid, user_id: uuid.nullable() });

const exampleId = (last: number) => `0198c0de-0000-7000-8000-00000000000${last}`;

const example = {
  id: exampleId(2),
  html_content: '<p>Can you call them, <strong>Grace</strong>?</p>',
  json_content: null,
  text: null,
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

/** docs/specification/comments.md, "Comment". */
export const commentRecord = z
  .strictObject({
    id: uuid,
    html_content: z.string().nullable(),
    json_content: z.string().nullable(),
    text: z.string().nullable(),
    parent_comment_id: uuid.nullable(),
    user_id: uuid.nullable(),
    contact_id: uuid.nullable(),
    organization_id: uuid.nullable(),
    deal_id: uuid.nullable(),
    thread_id: uuid.nullable(),
    file_id: uuid.nullable(),
    calendar_event_id: uuid.nullable(),
    space_id: uuid.nullable(),
    agent: z.enum(['assistant']).nullable(),
    status: z.enum(['pending', 'complete', 'failed']),
    blocks: z.array(block),
    refs: z.array(recordRef),
    mentions: z.array(mention),
    reactions: z.array(shownReaction),
    created_at: timestamp.nullable(),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'Comment', example });

export type CommentRecord = z.infer<typeof commentRecord>;

type RecordField = `${ReturnType<typeof singular<(typeof commentableTypes)[number]>>}_id`;

/** Exactly one of the fields is set: the record's. */
function recordFields(comment: Comment): Record<RecordField, string | null> {
  const fields = commentableTypes.map((type) => [
    `${singular(type)}_id`,
    type === comment.record_type ? comment.record_id : null,
  ]);
  return Object.fromEntries(fields);
}

/** Of a comment that a user wrote. */
const written = { text: null, status: 'complete' } as const;

/** `around` is of the replies that are presented, for who reads them. */
export function presentComment(comment: WholeComment, around: Surroundings = noSurroundings): CommentRecord {
  const { reply } = comment;
  return {
    id: comment.id,
    // Saved before images from elsewhere were left out of comments, it may have one.
    html_content: comment.html_content && blockRemote(comment.html_content),
    json_content: comment.json_content,
    parent_comment_id: comment.parent_comment_id,
    user_id: comment.user_id,
    ...recordFields(comment),
    agent: reply ? 'assistant' : null,
    ...(reply ? presentReply(reply, comment.user_id, around) : { ...written, blocks: [], refs: [] }),
    // A user is mentioned once in a comment, so both ids together name the mention.
    mentions: comment.mentioned_user_ids.map((user_id) => ({ id: idFrom(comment.id, user_id), user_id })),
    reactions: comment.reactions.map(showReaction),
    created_at: comment.created_at,
    updated_at: comment.updated_at,
  };
}
