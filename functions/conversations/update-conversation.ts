import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import {
  conversationChanges,
  conversationSchema,
  presentConversation,
} from '#shared/domain/assistant/conversations/conversation.ts';
import { updateConversation as update } from '#shared/domain/assistant/conversations/update.ts';

export const updateConversation = route('updateConversation', {
  method: 'PATCH',
  path: '/conversations/{id}',
  access: 'write',
  summary: 'Rename a conversation',
  description: 'Only the title can be changed; `null` clears it.',
  body: { conversation: conversationChanges },
  returns: { 200: { conversation: conversationSchema } },
  uses: ['table:write'],
  versioned: true,
});

export const handler = handle(updateConversation, async ({ ctx, params, body }) => ({
  conversation: presentConversation(await update(ctx, params.id, body.conversation)),
}));
