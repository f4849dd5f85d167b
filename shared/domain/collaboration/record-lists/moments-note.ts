import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { type AllOf, above, below } from '#shared/table/table.ts';
import { ALL, type Noted, type NotedMoment, type RecordIndex } from './entry.ts';
import { type ListedItem, touchedAt } from './listed-item.ts';
import type { Window } from './periods.ts';

/**
 * In every order, the postings of the list of everything say when a record was created, and for types that are not written
 * often when it was last written, in milliseconds: filters by these moments need not read the records, whatever the order.
 */

const momentOf: Record<NotedMoment, (record: ListedItem) => string> = {
  created: ({ created_at }) => created_at,
  written: touchedAt,
};

export const momentsIn = (moments: readonly NotedMoment[], record: ListedItem): Noted['note'] =>
  Object.fromEntries(moments.map((name) => [name, Date.parse(momentOf[name](record))]));

export const momentsNote = (moments: readonly NotedMoment[], record: ListedItem): Noted => ({
  list: ALL,
  note: momentsIn(moments, record),
});

type NotedPosting = Posting & { [Name in NotedMoment]?: number };

type Noting = Pick<RecordIndex<never>, 'noted_moments' | 'periods'>;

/** What finds them in lists of another order. */
type ByMoment = { noted?: AllOf<NotedPosting>; window?: Window };

/** What postings say of records with a later, or an earlier moment, where they do. */
const comparing =
  (compare: typeof above<number> | typeof below<number>, side: 'after' | 'before') =>
  ({ noted_moments = [], periods = [] }: Noting, name: NotedMoment, moment: number): ByMoment => ({
    ...(noted_moments.includes(name) ? { noted: { [name]: compare(moment) } } : {}),
    ...(periods.includes(name) ? { window: { moment: name, [side]: moment } } : {}),
  });

export const notedAfter = comparing(above, 'after');

export const notedBefore = comparing(below, 'before');
