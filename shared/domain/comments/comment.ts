import * as z from 'zod';
import { idFrom } from '../../ids.ts';
import type { RecordType } from '../../table/keys.ts';
import type { Item } from '../../table/table.ts';
import { timestamp, uuid } from '../../values.ts';
import { commentableTypes, singular } from '../records/types.ts';
import { block, recordRef } from './block.ts';

/** What a user wrote. */
export interface CommentContent {
  /** Sanitized. */
  html_content: string;
  /** A ProseMirror document as sent. */
  json_content: string | null;
}

/** A comment of a user. It is stored with its record; an item of its own tells the record of a comment's id. */
export interface Comment extends CommentContent {
  id: string;
  account_id: string;
  record_type: RecordType;
  record_id: string;
  user_id: string;
  parent_comment_id: string | null;
  /** In the order of the document. */
  mentioned_user_ids: string[];
  created_at: string;
  updated_at: string | null;
}

/** The content is in the item itself or, when it is large, compressed in the items behind it. */
export type StoredComment = Item & Omit<Comment, keyof CommentContent> & Partial<CommentContent>;

/** Where a comment is. */
export type CommentPointer = Item & { record_type: RecordType; record_id: string };

const mention = z.strictObject({ id: uuid, user_id: uuid.nullable() });

const reaction = z.strictObject({ id: uuid, text: z.string().nullable(), user_id: uuid.nullable() });

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

/** Specification, "Comment". */
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
    reactions: z.array(reaction),
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

export function presentComment(comment: Comment): CommentRecord {
  return {
    id: comment.id,
    html_content: comment.html_content,
    json_content: comment.json_content,
    text: null,
    parent_comment_id: comment.parent_comment_id,
    user_id: comment.user_id,
    ...recordFields(comment),
    agent: null,
    status: 'complete',
    blocks: [],
    refs: [],
    // A user is mentioned once in a comment, so both ids together name the mention.
    mentions: comment.mentioned_user_ids.map((user_id) => ({ id: idFrom(comment.id, user_id), user_id })),
    reactions: [],
    created_at: comment.created_at,
    updated_at: comment.updated_at,
  };
}
