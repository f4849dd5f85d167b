import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { pageCollection, pageNumbers, pageOf, sentFilters } from '#shared/api/shapes.ts';
import {
  conversationSchema,
  presentConversation,
} from '#shared/domain/assistant/conversations/conversation.ts';
import { listConversationIds } from '#shared/domain/assistant/conversations/list.ts';
import { findConversations } from '#shared/domain/assistant/conversations/store.ts';
import { requiredText } from '#shared/values.ts';

export const listConversations = route('listConversations', {
  method: 'GET',
  path: '/conversations',
  access: 'read',
  summary: 'List conversations',
  description:
    "The user's own conversations with the assistant. Those without messages are last, or first in ascending order.",
  query: {
    query: requiredText(500).optional().meta({
      description: 'Beginnings of words of the title, without regard to case and accents',
      example: 'ferries',
    }),
    sort: z.enum(['last_message_at']).default('last_message_at'),
    order: z.enum(['asc', 'desc']).default('desc'),
    ...pageNumbers,
  },
  returns: { 200: { collection: pageCollection(conversationSchema) } },
  uses: ['table:read'],
});

export const handler = handle(listConversations, async ({ ctx, query: sent }) => {
  const { query, sort, order, page, per_page } = sent;
  const user_id = ctx.caller.user.id;
  const ids = await listConversationIds(ctx.table, user_id, query);
  const { records, ...numbers } = pageOf(order === 'desc' ? ids : ids.toReversed(), { page, per_page });
  const conversations = await findConversations(ctx.table, user_id, records);
  return {
    collection: {
      records: conversations.map(presentConversation),
      ...numbers,
      filters: sentFilters(sent),
      sort,
      order,
    },
  };
});
