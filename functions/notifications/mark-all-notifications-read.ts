import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { markAllRead } from '#shared/domain/collaboration/notifications/mark-all.ts';

export const markAllNotificationsRead = route('markAllNotificationsRead', {
  method: 'POST',
  path: '/notifications/read',
  access: 'write',
  summary: 'Mark all notifications read',
  description:
    'Marks every unread notification read and clears `new` on all. Costs the same for any number of them.',
  returns: {
    200: {
      new_count: z.int().meta({ example: 0 }),
      unread_count: z.int().meta({ example: 0 }),
      unread_counts: z
        .record(z.string(), z.int())
        .meta({ description: 'By event; events with none are left out' }),
    },
  },
  uses: ['table:write'],
});

export const handler = handle(markAllNotificationsRead, async ({ ctx }) => {
  await markAllRead(ctx.table, ctx.caller.user.id, ctx.clock);
  return { new_count: 0, unread_count: 0, unread_counts: {} };
});
