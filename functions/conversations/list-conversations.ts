import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { pageCollection, pageNumbers, pageOf, sentFilters } from '#shared/api/shapes.ts';
import {
  conversationSchema,
  presentConversation,
} from '#shared/domain/assistant/conversations/conversation.ts';
import { listConversations as list } from '#shared/domain/assistant/conversations/list.ts';
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
  const found = await list(ctx.table, ctx.caller.user.id, { query, order });
  const { records, ...numbers } = pageOf(found, { page, per_page });
  return {
    collection: {
      records: records.map(presentConversation),
      ...numbers,
      filters: sentFilters(sent),
      sort,
      order,
    },
  };
});
