import { type ListedItem, touchedAt } from './listed-item.ts';
import { momentRank, nameRank } from './ranks.ts';

export const BY_NAME = 'name';
export const BY_CREATION = 'created_at';

/** The orders that lists of named records have in common (docs/specification/records.md, "Lists of records"). */
export const namedOrders = {
  name: ({ name }: { name: string }) => nameRank(name),
  created_at: ({ created_at }: Pick<ListedItem, 'created_at'>) => momentRank(created_at),
  updated_at: (record: Pick<ListedItem, 'created_at' | 'updated_at'>) => momentRank(touchedAt(record)),
};

/** The same as values of `sort`; the first when it is omitted. */
const namedSorts = ['name', 'created_at', 'updated_at'] as const;

/** For records of people: also by the last mail or meeting with them (by-encounter.ts). */
export const LAST_INTERACTION = 'last_interaction_at';

export const peopleSorts = [...namedSorts, LAST_INTERACTION] as const;
