import type { Summed } from '#shared/domain/collaboration/record-lists/sums.ts';
import { unitsOf } from '#shared/domain/collaboration/record-lists/sums.ts';
import { timeRank } from '#shared/table/keys.ts';
import type { Deal } from './deal.ts';

/**
 * The sums of amounts that deals are part of: open ones by stage, currency and probability, closed ones also by when they
 * closed. So a stage with another probability, or another kind by its replacement, changes no deal's sum.
 */

/** Days of all time zones begin at one of these, in milliseconds: deals that closed in one of them are summed together. */
const QUARTER = 15 * 60_000;

const NONE = '-';

/** Between the parts, in none of them. */
const GAP = '|';

/** Of closed deals, whose names are by time and before those of open ones. */
export const closedSince = (moment: number) => ['closed', timeRank(moment)].join(GAP);
export const EARLIEST = 'closed';
export const LAST = 'open~';

/** What the deals of a sum have in common. */
export interface SumOf {
  is_open: boolean;
  stage_id: string;
  currency: string | null;
  /** Null for those that follow their stage. */
  own_probability: number | null;
}

const textOf = (value: string | number | null) => (value === null ? NONE : String(value));

export function summedDeal({ stage_id, status, amount, currency, ...deal }: Deal): Summed {
  const closed = deal.closed_at === null ? 0 : Date.parse(deal.closed_at);
  const beginning = status === 'open' ? 'open' : closedSince(closed - (closed % QUARTER));
  const parts = [stage_id, textOf(currency), textOf(deal.own_probability)];
  return { name: [beginning, ...parts].join(GAP), units: unitsOf(amount ?? 0) };
}

export function readName(name: string): SumOf {
  const [beginning, ...parts] = name.split(GAP);
  const [stage_id = '', currency = NONE, own = NONE] = parts.slice(-3);
  return {
    is_open: beginning === 'open',
    stage_id,
    currency: currency === NONE ? null : currency,
    own_probability: own === NONE ? null : Number(own),
  };
}
