import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { readSurroundings } from '#shared/domain/assistant/answering/surroundings.ts';
import { messageSchema, presentMessage } from '#shared/domain/assistant/conversations/message.ts';
import { before, listMessages as list } from '#shared/domain/assistant/conversations/messages.ts';
import { pageSize, timestamp } from '#shared/values.ts';

export const listMessages = route('listMessages', {
  method: 'GET',
  path: '/conversations/{conversation_id}/messages',
  access: 'read',
  summary: 'List the messages of a conversation',
  description:
    'The newest messages, oldest first. For those before them send `oldest_timestamp`, or the id of the first message, ' +
    'as `before`; the id of a message of another conversation is 404. A page of very long replies has ' +
    'fewer than `limit`.',
  query: {
    before: before
      .optional()
      .meta({ description: 'A timestamp, or the id of a message of the conversation' }),
    limit: pageSize(100).default(50),
  },
  returns: {
    200: {
      messages: z.array(messageSchema),
      has_more_before: z.boolean(),
      oldest_timestamp: timestamp.nullable(),
    },
  },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  listMessages,
  async ({ ctx, params, query }) => {
    const { before, limit } = query;
    const { messages, has_more_before } = await list(ctx, params.conversation_id, {
      before,
      limit,
    });
    const replies = messages.flatMap(({ reply }) => reply ?? []);
    const around = await readSurroundings(ctx, replies);
    return {
      messages: messages.map((message) => presentMessage(message, around)),
      has_more_before,
      oldest_timestamp: messages[0]?.created_at ?? null,
    };
  },
  visibility,
);
