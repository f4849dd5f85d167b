import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { type AllOf, above, below } from '#shared/table/table.ts';
import { ALL, type Noted } from './entry.ts';
import { type ListedItem, touchedAt } from './record-change.ts';

/**
 * In every order, the postings of the list of everything say when a record was created and last written, in milliseconds:
 * filters by these moments need not read the records, whatever the order.
 */

type NotedPosting = Posting & { created?: number; written?: number };

type Moment = 'created' | 'written';

/** With `more` that a family notes there. */
export const momentsNote = (record: ListedItem, more: Record<string, unknown> = {}): Noted => ({
  list: ALL,
  note: { created: Date.parse(record.created_at), written: Date.parse(touchedAt(record)), ...more },
});

export const notedAfter = (name: Moment, moment: number): AllOf<NotedPosting> => ({ [name]: above(moment) });

export const notedBefore = (name: Moment, moment: number): AllOf<NotedPosting> => ({ [name]: below(moment) });
