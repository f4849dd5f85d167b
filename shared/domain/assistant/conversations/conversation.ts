import * as z from 'zod';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { commentableTypes, singular } from '#shared/domain/collaboration/records/types.ts';
import { apart, defaulted, derived, given, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { clearableLine, timestamp, uuid } from '#shared/values.ts';

const recordNames = commentableTypes.map(singular);
const recordType = z.enum(recordNames);

const title = clearableLine(255).meta({ example: 'Ferries' });

const conversations = resource('Conversation', {
  id: given(uuid),
  user_id: given(uuid),
  title: apart(
    defaulted(title, null, z.string().nullable().meta({ example: 'What did we promise the ferries?' })),
  ),
  record_type: derived(recordType.nullable().meta({ example: 'thread' })),
  record_id: derived(uuid.nullable()),
  message_count: given(z.int().meta({ example: 2 })),
  last_message_at: given(timestamp.nullable()),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
});

/**
 * A private chat of one user with the assistant, as stored. `message_count` counts both sides and changes with every
 * question, so it serves as optimistic lock. `updated_at` is the user's last change of the conversation; messages do
 * not change it.
 */
export type Conversation = Item &
  StoredFields<typeof conversations.fields> & {
    account_id: string;
    /** Missing while there is none. */
    title?: string;
    /** What it is about. */
    record: RecordRef | null;
  };

/** docs/specification/assistant.md, "Conversations". */
export const conversationSchema = conversations.response;

/** The record is named by type, one of `names`, and id, or not at all. */
export function conversationDraft<const Name extends (typeof recordNames)[number]>(names: readonly Name[]) {
  return z
    .object({
      ...conversations.draft.shape,
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

/** The record of a conversation with this draft. */
export function contextOf({ record_type, record_id }: ConversationDraft): RecordRef | null {
  const type = commentableTypes.find((each) => singular(each) === record_type);
  return type && record_id ? { type, id: record_id } : null;
}

export const conversationChanges = conversations.changes.meta({ id: 'ConversationChanges' });

export type ConversationChanges = z.infer<typeof conversationChanges>;

export function presentConversation(conversation: Conversation): z.infer<typeof conversationSchema> {
  const { record } = conversation;
  return conversations.present(conversation, {
    title: conversation.title ?? null,
    // Only commentable records can be the context of one.
    record_type: record ? (singular(record.type) as z.infer<typeof recordType>) : null,
    record_id: record?.id ?? null,
  });
}
