import * as z from 'zod';
import { dateTime, requiredText, uuid } from '#shared/values.ts';
import { readThread } from './read-thread.ts';
import type { RecordTools } from './record-tools.ts';
import { searchThreads } from './thread-rows.ts';
import { tool } from './tool.ts';

const threadSearch = {
  query: requiredText(500).optional().meta({ description: 'Beginnings of words of subject or text' }),
  contact_id: uuid.optional(),
  participant: requiredText(320).optional().meta({ description: 'An email address' }),
  unread: z.boolean().optional(),
  unresolved: z.boolean().optional(),
  flagged: z.boolean().optional(),
  awaiting: z.boolean().optional().meta({ description: 'Nobody of the user’s side has answered' }),
  last_sent_after: dateTime.optional(),
  limit: z.int().min(1).max(20).default(10),
};

export const threadTools: RecordTools = {
  card_type: 'Thread',
  reading: 'a thread with its newest messages and comments',
  read: readThread,
  own: (context) => ({
    search_threads: tool(
      'search_threads',
      'Find email threads, newest first, with how many there are. All conditions must hold.',
      threadSearch,
      ({ limit, awaiting, ...filters }) =>
        searchThreads(context, { ...filters, ...(awaiting ? { slice: 'awaiting' as const } : {}) }, limit),
    ),
  }),
};
