import type { KnowsContacts } from '#shared/domain/collaboration/records/contact-book.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { KnowsHidden } from '#shared/domain/collaboration/share-requests/interaction.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Shown } from './entry.ts';
import { type Moment, tieOf } from './moment.ts';

/** A timeline is made of a few lists in the order of time (docs/decisions/0080). */

export type TimelineContext = CallerContext<SeesRecords & KnowsContacts & KnowsHidden>;

/** What stands in a list, before it is known whether the caller sees it. */
export interface Candidate<T = unknown> extends Moment {
  id: string;
  item: T;
}

export const candidateOf = <T>(id: string, at: number, item: T): Candidate<T> => ({
  ...{ id, at, item },
  tie: tieOf(id),
});

export interface Source<T = unknown> {
  /** Newest first; undefined at the end. */
  next(): Promise<Candidate<T> | undefined>;
  /** What the caller sees of them, by their ids. */
  show(candidates: Candidate<T>[]): Promise<ReadonlyMap<string, Shown>>;
}

/** Where a source begins, and how much of it a page may need. */
export interface Range {
  /** Milliseconds; what is at it belongs to the page. */
  upto: number;
  wanted: number;
}
