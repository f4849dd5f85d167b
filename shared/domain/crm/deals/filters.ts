import * as z from 'zod';
import { clockIn } from '#shared/days.ts';
import { type Criterion, sharedWith } from '#shared/domain/collaboration/record-lists/criteria.ts';
import {
  externalIdFilter,
  recordCriteria,
  recordFilters,
} from '#shared/domain/collaboration/record-lists/filters.ts';
import { requireRecord } from '#shared/domain/collaboration/records/policy.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { Places } from '#shared/domain/crm/pipelines/places.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireUsers } from '#shared/domain/identity/users/policy.ts';
import { recordNotFound } from '#shared/errors.ts';
import { isoDate, uuid } from '#shared/values.ts';
import {
  closesAfter,
  closesBefore,
  isAssignedTo,
  isLinkedTo,
  isOf,
  ofPipeline,
  ofStage,
  withStatus,
} from './criteria.ts';
import type { Deal } from './deal.ts';
import { dealIndex } from './lists.ts';
import { externalIds } from './writes.ts';

/** The query parameters that list and count deals (docs/specification/records.md, "Lists of deals"). */

const slices = ['open', 'won', 'lost', 'mine', 'overdue', 'shared'] as const;

export const dealFilters = {
  slice: z.enum(slices).optional().meta({
    description:
      'mine: of which the user is owner or assignee; overdue: open ones that were expected to close before today; shared: with the user or one of their groups',
  }),
  query: recordFilters.query,
  pipeline_id: uuid.optional().meta({ description: 'Deals in this pipeline' }),
  stage_id: uuid.optional().meta({ description: 'Deals in this stage' }),
  status: z.enum(['open', 'won', 'lost']).optional().meta({ description: 'The kind of their stage' }),
  assigned_user_id: uuid.optional().meta({ description: 'Deals that are assigned to this user' }),
  contact_id: uuid.optional().meta({ description: 'Deals with this person' }),
  organization_id: uuid.optional().meta({ description: 'Deals for this organization' }),
  ...externalIdFilter,
  tags: recordFilters.tags,
  tag_operator: recordFilters.tag_operator,
  expected_close_before: isoDate.optional().meta({ description: 'Expected to close before this day' }),
  expected_close_after: isoDate.optional().meta({ description: 'Expected to close after this day' }),
  updated_after: recordFilters.updated_after,
};

export const dealSorts = [
  'updated_at',
  'position',
  'name',
  'amount',
  'expected_close_on',
  'stage_moved_at',
  'created_at',
] as const;

export type DealFilters = z.output<z.ZodObject<typeof dealFilters>>;

function ofSlice(
  slice: DealFilters['slice'],
  { caller: { user }, now }: CallerContext,
  places: Places,
): Criterion<Deal>[] {
  switch (slice) {
    case undefined:
      return [];
    case 'mine':
      return [isOf(user.id)];
    case 'shared':
      return [sharedWith<Deal>(user)];
    case 'overdue': {
      const today = clockIn(user.time_zone, now).toPlainDate().toString();
      return [withStatus('open', places), closesBefore(today)];
    }
    default:
      return [withStatus(slice, places)];
  }
}

/** 404 for a pipeline or a stage that the account does not have. */
function placeCriteria({ pipeline_id, stage_id }: DealFilters, places: Places): Criterion<Deal>[] {
  const all = [...places.values()];
  const has = (is: (place: (typeof all)[number]) => boolean) => {
    if (!all.some(is)) throw recordNotFound();
  };
  if (pipeline_id !== undefined) has(({ pipeline }) => pipeline.id === pipeline_id);
  if (stage_id !== undefined) has(({ stage }) => stage.id === stage_id);
  return [
    ...(pipeline_id === undefined ? [] : [ofPipeline(pipeline_id)]),
    ...(stage_id === undefined ? [] : [ofStage(stage_id, places)]),
  ];
}

/** 404 for a person or an organization that the caller does not see. */
async function linkCriteria(ctx: CallerContext, { contact_id, organization_id }: DealFilters) {
  const refs = [
    ...(contact_id === undefined ? [] : [{ type: 'contacts' as const, id: contact_id }]),
    ...(organization_id === undefined ? [] : [{ type: 'organizations' as const, id: organization_id }]),
  ];
  await Promise.all(refs.map(({ type, id }) => requireRecord(ctx, type, id)));
  return refs.map(isLinkedTo);
}

async function assignedCriteria({ table, caller }: CallerContext, { assigned_user_id: id }: DealFilters) {
  if (id === undefined) return [];
  await requireUsers(table, caller.account.id, [id]);
  return [isAssignedTo(id)];
}

/** 404 for what the filters name and the caller does not see. */
export async function dealCriteria(
  ctx: CallerContext,
  filters: DealFilters,
  { tags, places: reading }: { tags: Promise<TagDictionary>; places: Promise<Places> },
): Promise<Criterion<Deal>[]> {
  const { slice, status, expected_close_before, expected_close_after } = filters;
  const [places, ...found] = await Promise.all([
    reading,
    linkCriteria(ctx, filters),
    assignedCriteria(ctx, filters),
    ...recordCriteria(ctx, filters, { index: dealIndex, tags, external_ids: externalIds }),
  ]);
  return [
    ...ofSlice(slice, ctx, places),
    ...placeCriteria(filters, places),
    ...(status === undefined ? [] : [withStatus(status, places)]),
    ...(expected_close_before === undefined ? [] : [closesBefore(expected_close_before)]),
    ...(expected_close_after === undefined ? [] : [closesAfter(expected_close_after)]),
    ...found.flat(),
  ];
}
