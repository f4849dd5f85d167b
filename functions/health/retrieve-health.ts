import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { requireHealth } from '#shared/domain/platform/health/check.ts';
import { VERSION } from '#shared/version.ts';

export const retrieveHealth = route('retrieveHealth', {
  method: 'GET',
  path: '/health',
  access: 'public',
  summary: 'Tell whether the service works',
  description: 'For monitors: the service and its table respond. The answer may be five seconds old.',
  returns: {
    200: {
      health: z
        .object({
          status: z.literal('ok').meta({ description: 'Always `ok`: any other state is an error.' }),
          version: z.string().meta({ description: 'The release that responds.', examples: [VERSION] }),
        })
        .meta({ id: 'Health' }),
    },
  },
  errors: ['service_unavailable'],
  uses: ['table:read'],
});

export const handler = handle(retrieveHealth, async ({ ctx }) => {
  await requireHealth(ctx.table, ctx.clock());
  return { health: { status: 'ok' as const, version: VERSION } };
});
