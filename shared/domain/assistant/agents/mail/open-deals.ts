import type { OpenDeal } from '#shared/domain/assistant/answering/assistant.ts';
import { findNumbered } from '#shared/domain/collaboration/record-lists/numbered.ts';
import { accessOf } from '#shared/domain/collaboration/records/policy.ts';
import type { Deal } from '#shared/domain/crm/deals/deal.ts';
import { findDeals } from '#shared/domain/crm/deals/find.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { aroundDeals } from '#shared/domain/crm/deals/store.ts';
import type { Place } from '#shared/domain/crm/pipelines/places.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';

/** The open deals with a contact. */

const MOST = 5;

/** The later stages of its pipeline, without those that lose it. */
function told(deal: Deal, { pipeline, stage, position }: Place): OpenDeal {
  const later = pipeline.stages
    .slice(position + 1)
    .flatMap(({ id, name, kind }) => (kind === 'lost' ? [] : [{ id, name, kind }]));
  return { name: deal.name, stage: stage.name, later };
}

/** Last written first; those that the caller only looks at count too, but do not move. */
export async function openDeals(
  ctx: CallerContext,
  contact_id: string,
): Promise<{ deal: Deal; told: OpenDeal }[]> {
  const known = aroundDeals(ctx);
  const filters = { contact_id, status: 'open' };
  const { rows } = await findDeals(ctx, filters, known, (criteria) =>
    findNumbered(
      ctx,
      { index: dealIndex, criteria, sort: 'updated_at', order: 'desc' },
      { page: 1, per_page: MOST },
    ),
  );
  const all = await known.places;
  return rows.flatMap((deal) => {
    const place = all.get(deal.stage_id);
    if (!place) return [];
    const open = told(deal, place);
    const editable = accessOf(deal, ctx.caller.user) === 'edit';
    return [{ deal, told: editable ? open : { ...open, later: [] } }];
  });
}
