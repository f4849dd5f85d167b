import { type Criterion, inList } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { VALUED } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { Place, Places } from '#shared/domain/crm/pipelines/places.ts';
import { type AllOf, above, below, type Test } from '#shared/table/table.ts';
import type { Deal, DealStatus } from './deal.ts';
import { type ClosingPosting, dealLists, linksOf } from './lists.ts';

/** Filters of deals, as criteria (docs/specification/records.md, "Lists of deals"). */

/** Deals that were put into the stage, without those of a stage that it replaces. */
export const inStage = (id: string): Criterion<Deal> =>
  inList<Deal>(dealLists.stage(id), ({ stage_id }) => stage_id === id);

/** Stages whose deals are being moved, by their ids: a deal is in the lists of such a stage until it is written. */
export type Moving = ReadonlyMap<string, Pick<Place, 'stage'>>;

export const movingIn = (places: Places): Moving =>
  new Map([...places].filter(([id, { stage }]) => id !== stage.id));

/** Deals of the stage, and those that are being moved into it. */
export function ofStage(id: string, moving: Moving): Criterion<Deal> {
  const ids = [id, ...[...moving].flatMap(([from, { stage }]) => (stage.id === id ? [from] : []))];
  return { lists: ids.map(dealLists.stage), keeps: ({ stage_id }) => ids.includes(stage_id) };
}

export const ofPipeline = (id: string): Criterion<Deal> =>
  inList<Deal>(dealLists.pipeline(id), ({ pipeline_id }) => pipeline_id === id);

/** Deals that are being moved have the status of the stage that gets them, and are in the lists of another. */
export function withStatus(status: DealStatus, moving: Moving): Criterion<Deal> {
  const joining = [...moving].flatMap(([id, { stage }]) =>
    stage.kind === status ? [dealLists.stage(id)] : [],
  );
  return {
    lists: [dealLists.status(status), ...joining],
    ...(moving.size > 0 ? { rough: true as const } : {}),
    keeps: (deal) => (moving.get(deal.stage_id)?.stage.kind ?? deal.status) === status,
  };
}

/** The user is owner or assignee. */
export const isOf = (user_id: string): Criterion<Deal> =>
  inList<Deal>(
    dealLists.mine(user_id),
    (deal) => deal.user_id === user_id || deal.assigned_user_id === user_id,
  );

export const isAssignedTo = (user_id: string): Criterion<Deal> =>
  inList<Deal>(dealLists.assigned(user_id), ({ assigned_user_id }) => assigned_user_id === user_id);

/** With this person, or for this organization. */
export const isLinkedTo = (ref: RecordRef): Criterion<Deal> =>
  inList<Deal>(dealLists.of(ref), (deal) =>
    linksOf(deal).some(({ type, id }) => type === ref.type && id === ref.id),
  );

/** With one of these people, or for one of these organizations. */
export function isLinkedToAny(refs: RecordRef[]): Criterion<Deal> {
  const ids = new Set(refs.map(({ id }) => id));
  return { lists: refs.map(dealLists.of), keeps: (deal) => linksOf(deal).some(({ id }) => ids.has(id)) };
}

const order = 'expected_close_on';

const closing = (closes: Test<string>): AllOf<ClosingPosting> => ({ closes });

/** Expected to close before a day. */
export const closesBefore = (day: string): Criterion<Deal> => ({
  range: { order, from: VALUED, before: `${VALUED}${day}` },
  noted: closing(below(day)),
  keeps: ({ expected_close_on }) => expected_close_on !== null && expected_close_on < day,
});

/** Open, and expected to close before a day. In another order the lists of open deals note the day. */
export function overdueOn(day: string, moving: Moving): Criterion<Deal> {
  const { lists = [], keeps, ...open } = withStatus('open', moving);
  const { range, keeps: isBefore } = closesBefore(day);
  const filter = closing(below(day));
  const parts = lists.map((list) => ({
    ...{ list, order, ...range },
    ...(list === dealLists.status('open') ? { filter } : {}),
  }));
  const dated = { list: dealLists.status('open'), order, before: day };
  return { ...open, parts, dated, keeps: (deal) => keeps(deal) && isBefore(deal) };
}

/** Expected to close after a day. */
export const closesAfter = (day: string): Criterion<Deal> => ({
  range: { order, from: `${VALUED}${day}~` },
  noted: closing(above(day)),
  keeps: ({ expected_close_on }) => expected_close_on !== null && expected_close_on > day,
});
