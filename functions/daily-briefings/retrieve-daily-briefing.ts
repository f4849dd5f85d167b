import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { dailyBriefingSchema } from '#shared/domain/assistant/daily-briefings/briefing.ts';
import { requireBriefing } from '#shared/domain/assistant/daily-briefings/policy.ts';
import { presentBriefing } from '#shared/domain/assistant/daily-briefings/present.ts';

export const retrieveDailyBriefing = route('retrieveDailyBriefing', {
  method: 'GET',
  path: '/daily_briefings/{id}',
  access: 'read',
  summary: 'Retrieve a daily briefing',
  description: 'Of the key’s user, for example one that was asked for, until it is `complete` or `failed`.',
  returns: { 200: { daily_briefing: dailyBriefingSchema } },
  uses: ['table:read'],
});

export const handler = handle(
  retrieveDailyBriefing,
  async ({ ctx, params }) => ({
    daily_briefing: await presentBriefing(ctx, await requireBriefing(ctx, params.id)),
  }),
  visibility,
);
