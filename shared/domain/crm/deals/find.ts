import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { type Granted, takingForGranted } from '#shared/domain/collaboration/record-lists/granted.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { Places } from '#shared/domain/crm/pipelines/places.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Deal } from './deal.ts';
import { type DealFilters, dealCriteria } from './filters.ts';

/**
 * What `find` makes of the filters. It begins while the pipelines and what the filters name are read, and begins again
 * where these say otherwise than nearly always. 404 as in `dealCriteria`.
 */
export function findDeals<T>(
  ctx: CallerContext,
  filters: DealFilters,
  known: { tags: Promise<TagDictionary>; places: Promise<Places> },
  find: (criteria: Criterion<Deal>[], granted: Granted) => Promise<T>,
): Promise<T> {
  return takingForGranted(async (granted) =>
    find(await dealCriteria(ctx, filters, { ...known, granted }), granted),
  );
}
