/** How well a record matches a query: the lower, the better (docs/specification/search.md, "Order"). */
export const TIER = {
  /** The query is an address, a domain or the id of another system. */
  value: 1,
  /** All words are in what a person, an organization, a space or a tag is called. */
  name: 2,
  /** All words are in a subject or a title. */
  title: 3,
  /** All words are somewhere in the record. */
  text: 4,
  /** All words are in the whole text of a message. */
  whole_text: 5,
} as const;

export type Tier = (typeof TIER)[keyof typeof TIER];

/** A place in the order: the better match, then the newer, then the higher id. */
export interface Place {
  tier: Tier;
  /** Milliseconds. */
  moment: number;
  id: string;
}

export function isBefore(a: Place, b: Place): boolean {
  if (a.tier !== b.tier) return a.tier < b.tier;
  return a.moment === b.moment ? a.id > b.id : a.moment > b.moment;
}

/** The years 1 to 9999 in milliseconds. */
const BEGINNING = -62_135_596_800_000;
const SPAN = 315_537_897_600_000;

/** A number that falls with the order: a whole number for the tier, and a fraction for the moment. */
export function scoreOf({ tier, moment }: Place): number {
  return TIER.whole_text - tier + Math.min(Math.max((moment - BEGINNING) / SPAN, 0), 0.999_999_999_999);
}
