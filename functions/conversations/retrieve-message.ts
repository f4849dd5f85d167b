import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { readSurroundings } from '#shared/domain/assistant/answering/surroundings.ts';
import { messageSchema, presentMessage } from '#shared/domain/assistant/conversations/message.ts';
import { requireConversation, requireMessage } from '#shared/domain/assistant/conversations/policy.ts';

export const retrieveMessage = route('retrieveMessage', {
  method: 'GET',
  path: '/conversations/{conversation_id}/messages/{id}',
  access: 'read',
  summary: 'Retrieve a message of a conversation',
  description: 'For example the reply to a question, until it is `complete` or `failed`.',
  returns: { 200: { message: messageSchema } },
  uses: ['table:read'],
});

export const handler = handle(
  retrieveMessage,
  async ({ ctx, params }) => {
    const [, message] = await Promise.all([
      requireConversation(ctx, params.conversation_id),
      requireMessage(ctx.table, params.conversation_id, params.id),
    ]);
    const around = await readSurroundings(ctx, message.reply ? [message.reply] : []);
    return { message: presentMessage(message, around) };
  },
  visibility,
);
