import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { type AllOf, above, either, missing } from '#shared/table/table.ts';
import { ALL, type Noted } from './entry.ts';
import { type ListedItem, touchedAt } from './record-change.ts';

/**
 * In every order, the postings of the list of everything say when a record was last written: what was written since a
 * moment is found without reading the rest.
 */

type WrittenPosting = Posting & { written?: number };

export const writtenNote = (record: ListedItem): Noted => ({
  list: ALL,
  note: { written: Date.parse(touchedAt(record)) },
});

/** Postings from before there was such a note are checked by their records. */
export const notedAfter = (moment: number): AllOf<WrittenPosting> => ({
  written: either<number>(missing, above(moment)),
});
