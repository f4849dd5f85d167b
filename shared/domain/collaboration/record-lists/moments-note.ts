import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { type AllOf, above, below } from '#shared/table/table.ts';
import { ALL, type Noted, type NotedMoment, type RecordIndex } from './entry.ts';
import { type ListedItem, touchedAt } from './listed-item.ts';

/**
 * In every order, the postings of the list of everything say when a record was created, and for types that are not written
 * often when it was last written, in milliseconds: filters by these moments need not read the records, whatever the order.
 */

const momentOf: Record<NotedMoment, (record: ListedItem) => string> = {
  created: ({ created_at }) => created_at,
  written: touchedAt,
};

export const momentsNote = (moments: readonly NotedMoment[], record: ListedItem): Noted => ({
  list: ALL,
  note: Object.fromEntries(moments.map((name) => [name, Date.parse(momentOf[name](record))])),
});

type NotedPosting = Posting & { [Name in NotedMoment]?: number };

type Noting = Pick<RecordIndex<never>, 'noted_moments'>;

/** What postings say of records with a later, or an earlier moment, where they do. */
const comparing =
  (compare: typeof above<number> | typeof below<number>) =>
  ({ noted_moments = [] }: Noting, name: NotedMoment, moment: number): { noted?: AllOf<NotedPosting> } =>
    noted_moments.includes(name) ? { noted: { [name]: compare(moment) } } : {};

export const notedAfter = comparing(above);

export const notedBefore = comparing(below);
