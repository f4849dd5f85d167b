import * as z from 'zod';
import { clockIn } from '#shared/days.ts';
import { type Criterion, sharedWith, withTags } from '#shared/domain/collaboration/record-lists/criteria.ts';
import {
  keptFilters,
  momentFilters,
  recordCriteria,
  recordFilters,
} from '#shared/domain/collaboration/record-lists/filters.ts';
import { type Granted, unlessGranted } from '#shared/domain/collaboration/record-lists/granted.ts';
import { Remembered } from '#shared/domain/collaboration/record-lists/remembered.ts';
import { anyOf, several, valuesOf } from '#shared/domain/collaboration/record-lists/several.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { requireRecord } from '#shared/domain/collaboration/records/policy.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { tagsOfSpace } from '#shared/domain/crm/details/memberships.ts';
import type { Places } from '#shared/domain/crm/pipelines/places.ts';
import { membersOf } from '#shared/domain/crm/spaces/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireUsers } from '#shared/domain/identity/users/policy.ts';
import { recordNotFound } from '#shared/errors.ts';
import { isoDate, uuid } from '#shared/values.ts';
import {
  closesAfter,
  closesBefore,
  isAssignedTo,
  isLinkedTo,
  isLinkedToAny,
  isOf,
  type Moving,
  movingIn,
  ofPipeline,
  ofStage,
  overdueOn,
  withStatus,
} from './criteria.ts';
import type { Deal, DealStatus } from './deal.ts';
import { dealIndex } from './lists.ts';
import { externalIds } from './writes.ts';

/** The query parameters that list and count deals (docs/specification/records.md, "Lists of deals"). */

const slices = ['open', 'won', 'lost', 'mine', 'overdue', 'shared'] as const;

const statuses = ['open', 'won', 'lost'] as const;

export const dealFilters = {
  slice: z.enum(slices).optional().meta({
    description:
      'mine: of which the user is owner or assignee; overdue: open ones that were expected to close before today; shared: with the user or one of their groups',
  }),
  query: recordFilters.query,
  pipeline_id: several(uuid).optional().meta({ description: 'Deals in these pipelines' }),
  stage_id: several(uuid).optional().meta({ description: 'Deals in these stages' }),
  status: several(z.enum(statuses))
    .optional()
    .meta({ description: 'The kind of their stage', example: 'open' }),
  assigned_user_id: several(uuid).optional().meta({ description: 'Deals that are assigned to these users' }),
  contact_id: several(uuid).optional().meta({ description: 'Deals with these people' }),
  organization_id: several(uuid).optional().meta({ description: 'Deals for these organizations' }),
  space_id: uuid.optional().meta({
    description: 'Deals with the people or for the organizations of this space, or with its tags',
  }),
  ...keptFilters,
  tags: recordFilters.tags,
  tag_operator: recordFilters.tag_operator,
  expected_close_before: isoDate.optional().meta({ description: 'Expected to close before this day' }),
  expected_close_after: isoDate.optional().meta({ description: 'Expected to close after this day' }),
  ...momentFilters,
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
  moving: Moving,
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
      return [overdueOn(today, moving)];
    }
    default:
      return [withStatus(slice, moving)];
  }
}

/** The records that filters name. */
const refsIn = ({ contact_id, organization_id }: DealFilters): RecordRef[] => [
  ...namedIn(contact_id).map((id) => ({ type: 'contacts' as const, id })),
  ...namedIn(organization_id).map((id) => ({ type: 'organizations' as const, id })),
];

const namedIn = (sent: string | undefined) => (sent === undefined ? [] : valuesOf(sent));

const ifSent = <T>(value: T | undefined, criterion: (value: T) => Criterion<Deal>) =>
  value === undefined ? [] : [criterion(value)];

/** Of any of the values. */
const ifAny = (sent: string | undefined, criterion: (value: string) => Criterion<Deal>) =>
  ifSent(sent, (values) => anyOf(valuesOf(values).map(criterion)));

/** What is read beside, or taken for granted. */
interface Known {
  tags: Promise<TagDictionary>;
  places: Promise<Places>;
  granted?: Granted;
}

type Members = Awaited<ReturnType<typeof membersOf>>;

/** Of accounts, users and spaces; the ids of one may have a megabyte. */
const members = new Remembered<Members>(20);

/** 404 for a space that the caller does not see. */
async function spaceCriteria(
  ctx: CallerContext,
  id: string | undefined,
  beside: Known,
): Promise<Criterion<Deal>[]> {
  if (id === undefined) return [];
  const made = await tagsOfSpace(ctx, id, beside);
  if (made) return withTags(made.tags, made.operator);
  const read = () => membersOf(ctx, { id, kind: 'records' });
  const name = `${ctx.caller.user.id} members of ${id}`;
  const { contact_ids, organization_ids } = await (beside.granted?.known(members, name, read) ?? read());
  return [
    isLinkedToAny([
      ...contact_ids.map((each) => ({ type: 'contacts' as const, id: each })),
      ...organization_ids.map((each) => ({ type: 'organizations' as const, id: each })),
    ]),
  ];
}

/** Nearly always none. */
async function movingNow({ places, granted }: Known): Promise<Moving> {
  if (!granted || granted.isWrong) return movingIn(await places);
  granted.take(places.then((known) => movingIn(known).size === 0));
  return new Map();
}

/** 404 for what the filters name and the caller does not see. */
export async function dealCriteria(
  ctx: CallerContext,
  filters: DealFilters,
  known: Known,
): Promise<Criterion<Deal>[]> {
  const { tags, granted } = known;
  const common = { index: dealIndex, tags, external_ids: externalIds, granted };
  const [moving, inSpace, found] = await Promise.all([
    movingNow(known),
    spaceCriteria(ctx, filters.space_id, known),
    Promise.all(recordCriteria(ctx, filters, common)),
    unlessGranted(granted, () => checkFilters(ctx, filters, known.places)),
  ]);
  return [
    ...ofSlice(filters.slice, ctx, moving),
    ...ifAny(filters.pipeline_id, ofPipeline),
    ...ifAny(filters.stage_id, (id) => ofStage(id, moving)),
    ...ifAny(filters.status, (status) => withStatus(status as DealStatus, moving)),
    ...ifAny(filters.assigned_user_id, isAssignedTo),
    ...ifAny(filters.contact_id, (id) => isLinkedTo({ type: 'contacts', id })),
    ...ifAny(filters.organization_id, (id) => isLinkedTo({ type: 'organizations', id })),
    ...ifSent(filters.expected_close_before, closesBefore),
    ...ifSent(filters.expected_close_after, closesAfter),
    ...inSpace,
    ...found.flat(),
  ];
}

/** 404 for a pipeline, stage, user, person or organization that filters name and the caller does not see. */
async function checkFilters(
  ctx: CallerContext,
  filters: DealFilters,
  reading: Promise<Places>,
): Promise<void> {
  const { account } = ctx.caller;
  const [places] = await Promise.all([
    reading,
    requireUsers(ctx.table, account.id, namedIn(filters.assigned_user_id)),
    ...refsIn(filters).map(({ type, id }) => requireRecord(ctx, type, id)),
  ]);
  const all = [...places.values()];
  const known =
    namedIn(filters.pipeline_id).every((id) => all.some(({ pipeline }) => pipeline.id === id)) &&
    namedIn(filters.stage_id).every((id) => all.some(({ stage }) => stage.id === id));
  if (!known) throw recordNotFound();
}
