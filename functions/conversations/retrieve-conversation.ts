import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import {
  conversationSchema,
  presentConversation,
} from '#shared/domain/assistant/conversations/conversation.ts';
import { requireConversation } from '#shared/domain/assistant/conversations/policy.ts';

export const retrieveConversation = route('retrieveConversation', {
  method: 'GET',
  path: '/conversations/{id}',
  access: 'read',
  summary: 'Retrieve a conversation',
  returns: { 200: { conversation: conversationSchema } },
  uses: ['table:read'],
});

export const handler = handle(retrieveConversation, async ({ ctx, params }) => ({
  conversation: presentConversation(await requireConversation(ctx, params.id)),
}));
