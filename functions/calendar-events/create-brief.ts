import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { askForBrief } from '#shared/domain/calendar/calendar-events/brief.ts';
import { briefSchema } from '#shared/domain/calendar/calendar-events/event.ts';
import { presentBrief } from '#shared/domain/calendar/calendar-events/present.ts';

export const createBrief = route('createBrief', {
  method: 'POST',
  path: '/calendar_events/{calendar_event_id}/brief',
  access: 'write',
  summary: 'Ask for a meeting brief',
  description:
    'The assistant prepares the meeting with what the key’s user sees. The brief is `pending` until it is ready, and then in the event. It replaces an earlier one.',
  returns: { 202: { brief: briefSchema } },
  errors: ['record_not_found', 'permission_denied', 'assistant_unavailable', 'rate_limited'],
  uses: ['table:write', 'queue:reply-as-assistant', 'queue:index-records'],
});

export const handler = handle(
  createBrief,
  async ({ ctx, params }) => {
    const brief = await askForBrief(ctx, params.calendar_event_id);
    return { brief: presentBrief(brief, await ctx.ports.readSurroundings(ctx, [brief])) };
  },
  { ...visibility, ...replies },
);
