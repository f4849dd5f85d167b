import type { Deal } from '#shared/domain/crm/deals/deal.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { valuesOf } from './around.ts';
import {
  type Asked,
  by,
  few,
  fieldFilter,
  fieldSorts,
  half,
  isJoined,
  noFilter,
  plainly,
  sorted,
  spaces,
  tags,
  tenEmployers,
  words,
} from './asking.ts';
import { type Copied, storedRecord } from './copies.ts';
import type { Family } from './families.ts';
import { among, type RecordWorld } from './world.ts';

/** Deals of the world, and what is asked of their lists. */

const SHARE = 0.2;
const DAY = 86_400_000;

const dayAfter = (now: number, days: number) => new Date(now + days * DAY).toISOString().slice(0, 10);

/** 1 % with the contact and for the organization that are asked for, 3 % with contacts of the space. */
function peopleOf(number: number, rows: number, { around, contact_id, members, others }: RecordWorld) {
  if (!around) return {};
  const [asked = '', ...employers] = around.employers;
  const isAsked = among(number, rows, 0.01);
  const some = among(number + 1, rows, 0.03) ? members : others;
  const id = isAsked ? contact_id : (some[number % some.length] as string);
  const organization_id = isAsked ? asked : (employers[number % employers.length] as string);
  return { contacts: [{ id, role: null }], organization_id };
}

const copied: Copied<Deal> = {
  share: SHARE,
  index: dealIndex,
  tagged: true,
  async model(place, table) {
    const draft = { name: 'Model', amount: 1, assigned_user_id: place.world.user_id };
    const { deal } = (await place.api.createDeal({ body: { deal: draft } })).body;
    Object.assign(place, { stage_id: deal.stage_id, pipeline_id: deal.pipeline_id, deal_id: deal.id });
    return storedRecord(table, 'deals', deal.id);
  },
  own: (number, { rows, place: { world } }) => ({
    amount: number,
    position: number,
    // From two years ago to two years ahead.
    expected_close_on: dayAfter(world.now, (number / rows - 0.5) * 4 * 365),
    ...(among(number, rows, 0.3) ? {} : { assigned_user_id: null }),
    custom_fields: valuesOf(number, among(number, rows, 0.01)),
    external_id: `deal-${number}`,
    ...peopleOf(number, rows, world),
  }),
};

const closing: Asked[] = ['expected_close_before', 'expected_close_after'].map((name) => [
  `${name}, half`,
  ({ world }) => ({ [name]: dayAfter(world.now, 0) }),
]);

const inOtherOrder = [{ sort: 'name' }, { sort: 'amount' }].flatMap((sort) => sorted(words, sort));

export const deals: Family = {
  name: 'deals',
  share: SHARE,
  copied: copied as never,
  list: ({ api }, query) => api.listDeals({ query: query as never }),
  pages: [
    noFilter,
    ...plainly(...['open', 'won', 'mine', 'overdue', 'shared'].map((slice) => ({ slice })), {
      status: 'open',
    }),
    ['stage_id, sort=position', ({ stage_id = '' }) => ({ stage_id, sort: 'position' })],
    by('pipeline_id', ({ pipeline_id }) => pipeline_id),
    by('assigned_user_id', ({ world }) => world.user_id),
    by('contact_id', ({ world }) => world.contact_id),
    by('organization_id', ({ world }) => world.around?.employers[0]),
    ...spaces,
    by('external_id', ({ world }) => `deal-${Math.round(world.rows * SHARE) - 1}`),
    fieldFilter,
    ...plainly(
      ...['name', 'amount', 'expected_close_on', 'stage_moved_at', 'created_at'].map((sort) => ({ sort })),
      { sort: 'amount', order: 'asc' },
    ),
    ...fieldSorts,
    ...tags,
    ...words,
    ...inOtherOrder.filter((each) => !isJoined(each)),
    ...half.slice(0, 2),
    ...closing,
    ...sorted(half.slice(2), { sort: 'updated_at' }),
    ...sorted(closing, { sort: 'expected_close_on' }),
    ...few.slice(0, 2),
    tenEmployers,
  ],
  hard: [...inOtherOrder.filter(isJoined), ...plainly({ page: 100, per_page: 25 })],
  depths: [],
};
