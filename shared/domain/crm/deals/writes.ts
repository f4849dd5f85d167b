import { linkWrites } from '#shared/domain/collaboration/record-lists/linked.ts';
import { recordChange, recordDeletion } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { ExternalIds } from '#shared/domain/collaboration/records/external-ids.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { stageWrites } from '#shared/domain/crm/pipelines/deals.ts';
import type { Places } from '#shared/domain/crm/pipelines/places.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, together } from '#shared/domain/platform/jobs/commit.ts';
import type { AllOf, Write } from '#shared/table/table.ts';
import type { Deal } from './deal.ts';
import { dealIndex, linksOf } from './lists.ts';
import { dealNotifications } from './notices.ts';
import { stageMoveWrites } from './stage-history.ts';

export const externalIds = new ExternalIds('deals');

const stageOf = ({ account_id, pipeline_id, stage_id, status }: Deal) => ({
  account_id,
  pipeline_id,
  stage_id,
  kind: status,
});

/** The external id of a deal, the rows of its people and its organization, and its place in a stage. */
export function besidesOf(before: Deal | undefined, after: Deal | undefined): Write[] {
  const id = (after ?? before)?.id ?? '';
  return [
    ...externalIds.change(before, after),
    ...linkWrites({ type: 'deals', id }, before ? linksOf(before) : [], after ? linksOf(after) : []),
    ...stageWrites(id, before && stageOf(before), after && stageOf(after)),
  ];
}

interface Planned {
  /** Undefined for a new deal. */
  before?: Deal;
  after: Deal;
  places: Places;
}

/**
 * The change that creates or changes a deal, with its external id, its people, its stage and their history, its lists and notifications.
 * It fails when another request changes one of these. 409 `external_id_taken`.
 */
export async function dealChange(
  ctx: CallerContext<SeesRecords>,
  { before, after, places }: Planned,
): Promise<Change> {
  const notices = dealNotifications(ctx, before, after, places);
  const own = [...besidesOf(before, after), ...stageMoveWrites(ctx, before, after)];
  const besides = notices.then((change) => together(own, change));
  return recordChange(ctx, dealIndex, { before, after, besides });
}

/**
 * The change that marks a deal as deleted. Its external id is free at once. It fails when another request changes the
 * deal, or when a further condition does not hold.
 */
export const dealDeletion = (ctx: CallerContext, deal: Deal, further: AllOf<Deal> = {}): Promise<Change> =>
  recordDeletion(ctx, dealIndex, deal, besidesOf(deal, undefined), further);
