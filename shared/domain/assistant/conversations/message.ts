import * as z from 'zod';
import { type AssistantReply, block, recordRef } from '#shared/domain/collaboration/replies/block.ts';
import {
  noSurroundings,
  presentReply,
  type Surroundings,
} from '#shared/domain/collaboration/replies/present.ts';
import { apart, derived, given, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { requiredText, timestamp, uuid } from '#shared/values.ts';

const exampleId = (last: number) => `0198c0de-0000-7000-8000-00000000000${last}`;

const example = {
  id: exampleId(2),
  conversation_id: exampleId(1),
  user_id: exampleId(3),
  role: 'assistant',
  text: 'A berth on Thursday.',
  status: 'complete',
  blocks: [{ type: 'text', text: 'A berth on Thursday.' }],
  refs: [{ type: 'thread', id: exampleId(4), label: 'Ferry times' }],
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: null,
};

const messages = resource(
  'ConversationMessage',
  {
    id: given(uuid),
    conversation_id: given(uuid),
    user_id: given(uuid),
    role: derived(z.enum(['user', 'assistant'])),
    text: apart(given(z.string().nullable())),
    status: derived(z.enum(['pending', 'complete', 'failed'])),
    blocks: derived(z.array(block)),
    refs: derived(z.array(recordRef)),
    created_at: given(timestamp),
    updated_at: derived(timestamp.nullable().meta({ description: 'Null: messages are not edited' })),
  },
  { example },
);

/**
 * A message of a conversation as stored: a question of its user, or a reply of the assistant. `user_id` is the user of
 * the conversation, on both sides.
 */
export type Message = Item &
  StoredFields<typeof messages.fields> &
  ({ text: string; reply?: never } | { reply: AssistantReply; text?: never });

/** docs/specification/assistant.md, "Conversations". */
export const messageSchema = messages.response;

export const messageDraft = z
  .object({ text: requiredText(10_000).meta({ example: 'What did we promise the ferries?' }) })
  .meta({ id: 'ConversationMessageDraft' });

/** `around` is for presenting replies to the reader. */
export function presentMessage(
  message: Message,
  around: Surroundings = noSurroundings,
): z.infer<typeof messageSchema> {
  const { reply } = message;
  return messages.present(message, {
    role: reply ? 'assistant' : 'user',
    ...(reply
      ? presentReply(reply, message.user_id, around)
      : { text: message.text, status: 'complete' as const, blocks: [], refs: [] }),
    updated_at: null,
  });
}
