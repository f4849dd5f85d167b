import * as z from 'zod';
import { type AssistantReply, block, recordRef } from '#shared/domain/collaboration/replies/block.ts';
import {
  noSurroundings,
  presentReply,
  type Surroundings,
} from '#shared/domain/collaboration/replies/present.ts';
import type { Item } from '#shared/table/table.ts';
import { requiredText, timestamp, uuid } from '#shared/values.ts';

/** A message of a conversation as stored: what its user asked, or what the assistant replies. */
export type Message = Item & {
  id: string;
  conversation_id: string;
  /** The user of the conversation, on both sides. */
  user_id: string;
  created_at: string;
} & ({ text: string; reply?: never } | { reply: AssistantReply; text?: never });

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

/** docs/specification/assistant.md, "Conversations". */
export const messageRecord = z
  .strictObject({
    id: uuid,
    conversation_id: uuid,
    user_id: uuid,
    role: z.enum(['user', 'assistant']),
    text: z.string().nullable(),
    status: z.enum(['pending', 'complete', 'failed']),
    blocks: z.array(block),
    refs: z.array(recordRef),
    created_at: timestamp,
    updated_at: timestamp.nullable().meta({ description: 'Null: messages are not edited' }),
  })
  .meta({ id: 'ConversationMessage', example });

export const messageDraft = z
  .object({ text: requiredText(10_000).meta({ example: 'What did we promise the ferries?' }) })
  .meta({ id: 'ConversationMessageDraft' });

/** `around` is of the replies that are presented, for who reads them. */
export function presentMessage(
  message: Message,
  around: Surroundings = noSurroundings,
): z.infer<typeof messageRecord> {
  const { reply } = message;
  return {
    id: message.id,
    conversation_id: message.conversation_id,
    user_id: message.user_id,
    role: reply ? 'assistant' : 'user',
    ...(reply
      ? presentReply(reply, message.user_id, around)
      : { text: message.text, status: 'complete' as const, blocks: [], refs: [] }),
    created_at: message.created_at,
    updated_at: null,
  };
}
