import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { readSnooze, snoozeUntil } from '#shared/domain/mail/threads/snooze.ts';
import { changeState, having } from '#shared/domain/mail/threads/state.ts';

export const snoozeThread = route('snoozeThread', {
  method: 'POST',
  path: '/threads/{thread_id}/snooze',
  access: 'write',
  summary: 'Snooze a thread',
  description:
    'The thread is in the snoozed slice until then and remains in other lists. Replaces an earlier time; new mail ends it.',
  body: { snooze_until: snoozeUntil },
  returns: {
    200: {
      thread: z.strictObject({ snooze_until: z.string().meta({ format: 'date-time' }) }),
    },
  },
  errors: ['record_not_found'],
  uses: ['table:write'],
});

export const handler = handle(snoozeThread, async ({ ctx, params, body }) => {
  const { snooze_until, until } = readSnooze(body.snooze_until, ctx.now, ctx.caller.user.time_zone);
  await changeState(ctx, params.thread_id, having({ snooze_until, snoozed_until: until }));
  return { thread: { snooze_until } };
});
