import type { ExternalIds } from '#shared/domain/collaboration/records/external-ids.ts';
import type { SearchContext } from '../kind.ts';
import type { SearchQuery } from '../query.ts';

/** Characters of the id of another system. */
const LONGEST = 255;

/** The record with this id of another system, if the query can be one. */
export async function holderOf(
  ctx: SearchContext,
  external_ids: ExternalIds,
  { text }: SearchQuery,
): Promise<string[]> {
  const id = text.length <= LONGEST ? await external_ids.holder(ctx, text) : undefined;
  return id === undefined ? [] : [id];
}
