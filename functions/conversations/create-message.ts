import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ask } from '#shared/domain/assistant/conversations/ask.ts';
import {
  messageDraft,
  messageSchema,
  presentMessage,
} from '#shared/domain/assistant/conversations/message.ts';

export const createMessage = route('createMessage', {
  method: 'POST',
  path: '/conversations/{conversation_id}/messages',
  access: 'write',
  summary: 'Ask the assistant a question',
  description:
    'The reply is pending: list the messages again until it is `complete` or `failed`. Another question may be asked ' +
    'meanwhile. A user may ask 20 questions a minute.',
  body: { message: messageDraft },
  returns: { 202: { message: messageSchema, reply: messageSchema } },
  errors: ['assistant_unavailable'],
  uses: ['table:write', 'queue:reply-as-assistant'],
});

export const handler = handle(createMessage, async ({ ctx, params, body }) => {
  const { message, reply } = await ask(ctx, params.conversation_id, body.message.text);
  return { message: presentMessage(message), reply: presentMessage(reply) };
});
