import type { Happened } from '#shared/domain/collaboration/activity/activity.ts';
import { updated } from '#shared/domain/collaboration/activity/happened.ts';
import { ALL, type RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { touchedAt } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import { namedOrders } from '#shared/domain/collaboration/record-lists/orders.ts';
import { momentRank, numberRank } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import { organizationLink, valuesOf } from '#shared/domain/crm/details/history.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { wordsOf } from '#shared/domain/platform/postings/words.ts';
import type { Deal, DealStatus } from './deal.ts';
import { summedDeal } from './sum-names.ts';

/** The lists of deals (docs/decisions/0035, 0039). */

export const dealLists = {
  pipeline: (id: string) => `pipeline:${id}`,
  stage: (id: string) => `stage:${id}`,
  status: (status: DealStatus) => `status:${status}`,
  /** Of an owner or assignee. */
  mine: (user_id: string) => `mine:${user_id}`,
  assigned: (user_id: string) => `assigned:${user_id}`,
  of: ({ type, id }: RecordRef) => `${type}:${id}`,
};

const OPEN = dealLists.status('open');

/** Lists of everything, a stage, a status or a user; those of people, organizations and tags are short. */
const COUNTED = /^(all$|pipeline:|stage:|status:|mine:|assigned:)/;

/** The people and the organization of a deal. */
export const linksOf = ({ contacts, organization_id }: Deal): RecordRef[] => [
  ...contacts.map(({ id }) => ({ type: 'contacts' as const, id })),
  ...(organization_id === null ? [] : [{ type: 'organizations' as const, id: organization_id }]),
];

/** The day on which an open deal should close. */
const closing = ({ status, expected_close_on: day }: Deal) =>
  status === 'open' && day !== null ? day : undefined;

const momentOrNever = (timestamp: string | null) => (timestamp === null ? null : momentRank(timestamp));

function listsOf(deal: Deal): string[] {
  const { user_id, assigned_user_id } = deal;
  return [
    dealLists.pipeline(deal.pipeline_id),
    dealLists.stage(deal.stage_id),
    dealLists.status(deal.status),
    dealLists.mine(user_id),
    ...(assigned_user_id === null
      ? []
      : [dealLists.mine(assigned_user_id), dealLists.assigned(assigned_user_id)]),
    ...linksOf(deal).map(dealLists.of),
  ];
}

/** In the list of open deals and that of all; null in the latter for one without the day. */
export type ClosingPosting = Posting & { closes?: string | null };

const compared = [
  'name',
  'pipeline_id',
  'stage_id',
  'amount',
  'currency',
  'expected_close_on',
  'lost_reason',
  'description',
  'assigned_user_id',
  'visibility',
  'external_id',
] as const;

const historyOf = (deal: Deal) => ({
  ...valuesOf(deal, compared),
  probability: deal.own_probability,
  organization: organizationLink(deal.organization_id),
  contacts: deal.contacts.map(({ id, role }) => ({ type: singular('contacts'), id, role })),
});

/** Its own fields, without those that follow from its stage. */
const fieldsOf = (deal: Deal) => {
  const { pipeline_id: _, stage_id: __, ...fields }: Record<string, unknown> = historyOf(deal);
  return fields;
};

const moves = { open: 'deal_stage_moved', won: 'deal_won', lost: 'deal_lost' } as const;

/** Between two stages that are won it is a move. */
function happened(before: Deal | undefined, after: Deal): Happened[] {
  if (!before) return [{ type: 'deal_created' }];
  const type = before.status === after.status ? moves.open : moves[after.status];
  const detail = { from_stage_id: before.stage_id, to_stage_id: after.stage_id };
  const moved: Happened[] = before.stage_id === after.stage_id ? [] : [{ type, detail }];
  return [...moved, ...updated(fieldsOf, before, after)];
}

export const dealIndex: RecordIndex<Deal> = {
  type: 'deals',
  orders: {
    ...namedOrders,
    position: ({ position }) => numberRank(position),
    amount: ({ amount }) => (amount === null ? null : numberRank(amount)),
    expected_close_on: ({ expected_close_on }) => expected_close_on,
    stage_moved_at: ({ stage_moved_at }) => momentOrNever(stage_moved_at),
  },
  sparse: ['amount', 'expected_close_on', 'stage_moved_at'],
  words_by: 'updated_at',
  custom_fields: ({ custom_fields }) => custom_fields,
  words: ({ name }) => wordsOf(name),
  ranked_words: true,
  found: (deal) => ({
    ...{ order: 'updated_at', moment: Date.parse(touchedAt(deal)) },
    text: wordsOf(deal.external_id),
  }),
  history: historyOf,
  activity: { happened, linked: linksOf },
  lists: listsOf,
  noted(deal) {
    const closes = closing(deal);
    return [
      { list: ALL, note: { closes: deal.expected_close_on } },
      ...(closes === undefined ? [] : [{ list: OPEN, note: { closes } }]),
    ];
  },
  // A change already moves so many of its postings that `written` would be too much for a transaction.
  noted_moments: ['created'],
  counted_orders: { created_at: 'moment', updated_at: 'moment', expected_close_on: 'day' },
  packed: true,
  dated(deal) {
    const day = closing(deal);
    return day === undefined ? undefined : { list: OPEN, day };
  },
  summed: summedDeal,
  counted: (list) => COUNTED.test(list),
  personal: () => [],
  users: () => [],
};
