import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { Existing } from '#shared/api/upsert.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { dailyBriefingSchema } from '#shared/domain/assistant/daily-briefings/briefing.ts';
import { createDailyBriefing as create } from '#shared/domain/assistant/daily-briefings/create.ts';
import { presentBriefing } from '#shared/domain/assistant/daily-briefings/present.ts';

export const createDailyBriefing = route('createDailyBriefing', {
  method: 'POST',
  path: '/daily_briefings',
  access: 'write',
  summary: 'Ask for the briefing of today',
  description:
    'Today in the user’s time zone. It is `pending` until it is ready. 200 with the briefing that is pending or complete ' +
    'already; one that failed is written again. From then on there is one each morning at six, until the user has not ' +
    'been here for seven days.',
  returns: { 202: { daily_briefing: dailyBriefingSchema } },
  finds_existing: true,
  errors: ['rate_limited'],
  uses: ['table:write', 'queue:reply-as-assistant'],
});

export const handler = handle(
  createDailyBriefing,
  async ({ ctx }) => {
    const { briefing, existing } = await create(ctx);
    const response = { daily_briefing: await presentBriefing(ctx, briefing) };
    return existing ? new Existing(response) : response;
  },
  visibility,
);
