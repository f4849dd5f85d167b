import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { commentable } from '#shared/composition/commenting.ts';
import { visibility } from '#shared/composition/visibility.ts';
import {
  conversationDraft,
  conversationSchema,
  presentConversation,
} from '#shared/domain/assistant/conversations/conversation.ts';
import { createConversation as create } from '#shared/domain/assistant/conversations/create.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';

export const createConversation = route('createConversation', {
  method: 'POST',
  path: '/conversations',
  access: 'write',
  summary: 'Create a conversation',
  description:
    'A private chat with the assistant, about a record if one is named. Without a title it gets one from its first ' +
    'question.',
  body: { conversation: conversationDraft(commentable.map(singular)) },
  examples: { body: { conversation: { title: 'Ferries' } } },
  returns: { 201: { conversation: conversationSchema } },
  errors: ['record_not_found'],
  uses: ['table:write'],
  versioned: true,
});

export const handler = handle(
  createConversation,
  async ({ ctx, body }) => ({
    conversation: presentConversation(await create(ctx, body.conversation)),
  }),
  visibility,
);
