import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { Places } from '#shared/domain/crm/pipelines/places.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { movingIn } from './criteria.ts';
import type { Deal } from './deal.ts';
import { checkFilters, type DealFilters, dealCriteria } from './filters.ts';

/**
 * What `find` makes of the filters. It begins while the pipelines and what the filters name are read, as if no deal were
 * being moved; when some are, it begins again. 404 as in `checkFilters` and `dealCriteria`.
 */
export async function findDeals<T>(
  ctx: CallerContext,
  filters: DealFilters,
  { tags, places }: { tags: Promise<TagDictionary>; places: Promise<Places> },
  find: (criteria: Criterion<Deal>[]) => Promise<T>,
): Promise<T> {
  const [found] = await Promise.all([
    dealCriteria(ctx, filters, { tags, moving: new Map() }).then(find),
    checkFilters(ctx, filters, places),
  ]);
  const moving = movingIn(await places);
  return moving.size === 0 ? found : find(await dealCriteria(ctx, filters, { tags, moving }));
}
