import * as z from 'zod';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { commentableTypes, singular } from '#shared/domain/collaboration/records/types.ts';
import type { Item } from '#shared/table/table.ts';
import { clearableLine, notWritable, timestamp, uuid } from '#shared/values.ts';

/** A private chat of one user with the assistant, as stored. */
export type Conversation = Item & {
  id: string;
  account_id: string;
  user_id: string;
  /** Absent while there is none. */
  title?: string;
  /** What it is about. */
  record: RecordRef | null;
  /** Of both sides. It grows with every question, so that none is asked unseen. */
  message_count: number;
  last_message_at: string | null;
  created_at: string;
  /** When its user last changed it; messages do not. */
  updated_at: string | null;
};

const recordNames = commentableTypes.map(singular);
const recordType = z.enum(recordNames);

/** docs/specification/assistant.md, "Conversations". */
export const conversationRecord = z
  .strictObject({
    id: uuid,
    user_id: uuid,
    title: z.string().nullable().meta({ example: 'What did we promise the ferries?' }),
    record_type: recordType.nullable().meta({ example: 'thread' }),
    record_id: uuid.nullable(),
    message_count: z.int().meta({ example: 2 }),
    last_message_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'Conversation' });

const title = clearableLine(255).meta({ example: 'Ferries' });

/** The record is named by type, one of `names`, and id, or not at all. */
export function conversationDraft<const Name extends (typeof recordNames)[number]>(names: readonly Name[]) {
  return z
    .object({
      title: title.default(null),
      record_type: z.enum(names).nullable().default(null).meta({ example: 'thread' }),
      record_id: uuid.nullable().default(null),
    })
    .refine(({ record_type, record_id }) => record_type !== null || record_id === null, {
      path: ['record_type'],
      params: { field_code: 'required' },
    })
    .refine(({ record_type, record_id }) => record_id !== null || record_type === null, {
      path: ['record_id'],
      params: { field_code: 'required' },
    })
    .meta({ id: 'ConversationDraft' });
}

export type ConversationDraft = z.infer<ReturnType<typeof conversationDraft>>;

/** What a conversation with this draft is about. */
export function contextOf({ record_type, record_id }: ConversationDraft): RecordRef | null {
  const type = commentableTypes.find((each) => singular(each) === record_type);
  return type && record_id ? { type, id: record_id } : null;
}

export const conversationChanges = z
  .object({
    title: title.optional(),
    id: notWritable,
    user_id: notWritable,
    record_type: notWritable,
    record_id: notWritable,
    message_count: notWritable,
    last_message_at: notWritable,
    created_at: notWritable,
    updated_at: notWritable,
  })
  .meta({ id: 'ConversationChanges' });

export type ConversationChanges = z.infer<typeof conversationChanges>;

export function presentConversation(conversation: Conversation): z.infer<typeof conversationRecord> {
  const { record } = conversation;
  return {
    id: conversation.id,
    user_id: conversation.user_id,
    title: conversation.title ?? null,
    // Only commentable records become the context of one.
    record_type: record ? (singular(record.type) as z.infer<typeof recordType>) : null,
    record_id: record?.id ?? null,
    message_count: conversation.message_count,
    last_message_at: conversation.last_message_at,
    created_at: conversation.created_at,
    updated_at: conversation.updated_at,
  };
}
