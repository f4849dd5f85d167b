import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import { dealSchema } from '#shared/domain/crm/deals/deal.ts';
import { requireDeal } from '#shared/domain/crm/deals/policy.ts';
import { presentDeal, readPlaces } from '#shared/domain/crm/deals/store.ts';
import { listTasksOf } from '#shared/domain/work/tasks/store.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';

export const retrieveDeal = route('retrieveDeal', {
  method: 'GET',
  path: '/deals/{id}',
  access: 'read',
  summary: 'Retrieve a deal',
  returns: { 200: { deal: dealSchema } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  retrieveDeal,
  ({ ctx, params }) =>
    retryOnConflict(async () => {
      const stored = await requireDeal(ctx, params.id);
      const ref = { type: 'deals' as const, id: stored.id };
      const [deal, comments, tasks] = await Promise.all([
        presentDeal(ctx, { deal: stored, places: readPlaces(ctx) }),
        listRecordComments(ctx, ref),
        listTasksOf(ctx, ref),
      ]);
      return { deal: { ...deal, comments, tasks } };
    }),
  { ...visibility, ...replies },
);
