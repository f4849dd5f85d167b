import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { findOpenThreads } from '#shared/domain/mail/threads/lists/open.ts';
import { presentOpen } from '#shared/domain/mail/threads/present.ts';
import { openThreads } from '#shared/domain/mail/threads/schema.ts';

const entries = z.array(openThreads.response);

export const listOpenThreads = route('listOpenThreads', {
  method: 'GET',
  path: '/threads/open',
  access: 'read',
  summary: 'List open threads',
  description:
    'Every thread that received a message in the last 14 days and that the user has not resolved, snoozed ones included. A thread is in one group: unread, else flagged, else other. Returned whole, up to the newest 10,000.',
  returns: {
    200: { inbox: z.strictObject({ unread: entries, flagged: entries, other: entries }) },
  },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listOpenThreads, async ({ ctx }) => {
  const open = presentOpen(await findOpenThreads(ctx), ctx.caller.user, ctx.now);
  const read = open.filter((entry) => entry.read);
  return {
    inbox: {
      unread: open.filter((entry) => !entry.read),
      flagged: read.filter((entry) => entry.flagged),
      other: read.filter((entry) => !entry.flagged),
    },
  };
});
