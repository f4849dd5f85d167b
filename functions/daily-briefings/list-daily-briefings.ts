import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { dailyBriefingSchema } from '#shared/domain/assistant/daily-briefings/briefing.ts';
import { presentBriefings } from '#shared/domain/assistant/daily-briefings/present.ts';
import { listBriefings } from '#shared/domain/assistant/daily-briefings/store.ts';
import { isoDate } from '#shared/values.ts';

export const listDailyBriefings = route('listDailyBriefings', {
  method: 'GET',
  path: '/daily_briefings',
  access: 'read',
  summary: 'List daily briefings',
  description: "The last 30 of the key's user, newest first. Nobody else sees them.",
  query: { date: isoDate.optional().meta({ description: 'Only the briefing of this day' }) },
  returns: { 200: { daily_briefings: z.array(dailyBriefingSchema) } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  listDailyBriefings,
  async ({ ctx, query }) => {
    const found = await listBriefings(ctx.table, ctx.caller.user.id, query.date);
    return { daily_briefings: await presentBriefings(ctx, found) };
  },
  visibility,
);
