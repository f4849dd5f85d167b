import { requireAssignee } from '#shared/domain/collaboration/records/assignee.ts';
import { mergeCustomFields } from '#shared/domain/collaboration/records/custom-fields.ts';
import { sentAmong } from '#shared/domain/collaboration/records/sent.ts';
import { fitting } from '#shared/domain/crm/details/size.ts';
import type { AccountPipelines } from '#shared/domain/crm/pipelines/pipeline.ts';
import { placesIn } from '#shared/domain/crm/pipelines/places.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Deal, DealChanges } from './deal.ts';
import { peopleAfter } from './people.ts';
import { lastPosition, placed, placeFor } from './place.ts';

/** Stores the fields that requests send of a deal. */

/** Fields that are stored as sent. */
const plainFields = [
  'name',
  'amount',
  'currency',
  'expected_close_on',
  'lost_reason',
  'description',
  'assigned_user_id',
  'visibility',
  'external_id',
] as const;

/** Behind the others of its new stage, unless the request names a position. */
async function inPlace(
  ctx: CallerContext,
  before: Deal,
  sent: DealChanges,
  all: AccountPipelines,
): Promise<Deal> {
  const place = placesIn(all).get(before.stage_id);
  const next = placeFor(all, sent, place);
  if (next.stage.id === place?.stage.id) return { ...before, position: sent.position ?? before.position };
  const position = sent.position ?? (await lastPosition(ctx, next));
  return { ...placed(before, next, ctx.now), position };
}

/**
 * The deal with the sent fields. 404 for a pipeline, a person, an organization or an assignee that is not visible, 400
 * for a stage of another pipeline.
 */
export async function withSent(
  ctx: CallerContext,
  before: Deal,
  sent: DealChanges,
  all: AccountPipelines,
): Promise<Deal> {
  const [deal, people] = await Promise.all([
    inPlace(ctx, before, sent, all),
    peopleAfter(ctx, before, sent),
    requireAssignee(ctx, before.assigned_user_id, sent.assigned_user_id ?? null),
  ]);
  const { contacts, organization_id } = people;
  const after = {
    ...deal,
    ...sentAmong(plainFields, sent),
    contacts,
    organization_id,
    ...(sent.probability === undefined ? {} : { own_probability: sent.probability }),
    custom_fields: mergeCustomFields(before.custom_fields, sent.custom_fields),
  };
  return fitting(after, 'deal');
}
