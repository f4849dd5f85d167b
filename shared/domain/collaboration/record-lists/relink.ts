import type { Dependent, Work } from '#shared/domain/collaboration/life/dependent.ts';
import {
  cameBy,
  joined,
  type Passing,
  parted,
  waysAlone,
} from '#shared/domain/collaboration/records/came-by.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { changeAgain } from './again.ts';
import type { Writing } from './change.ts';
import type { RecordIndex } from './entry.ts';
import { type FormerLink, formerWrite, linkedAgain } from './former.ts';
import { findLink, type LinkRow, linkedPage, linkRow, replacedRow, unlinkRow } from './linked.ts';
import type { ListedItem } from './listed-item.ts';
import { recordChange } from './record-change.ts';

/** Links of records to one that is merged or deleted: they follow it, or end. */

const PAGE = 25;

/** A record that ends, and the one that it was merged into; or a survivor, and the record that is no longer merged. */
export interface Ended {
  from: Passing;
  into: RecordRef | undefined;
  /** The row of the link to `from`. */
  row?: LinkRow | undefined;
  /** The merge of `into` is taken back. */
  back?: true;
  /** Then: the link to `from` stays beside the one to `into`, which said this besides. */
  both?: boolean;
  said?: unknown;
}

/** `rests`: it may come back. */
type Leaving = Ended & { rests?: boolean };

/** The links of one family's records. */
export interface Links {
  type: RecordType;
  /** The transaction that replaces or ends the link of one record. */
  relink(ctx: Writing, id: string, ended: Leaving): Promise<Write[]>;
  /** The transaction that links one record again. None for links that do not come back. */
  linkAgain?(ctx: Writing, id: string, to: RecordRef, former: FormerLink): Promise<Write[]>;
}

/** How the records of a family are linked to others. */
export interface Linked<R extends ListedItem> {
  index: RecordIndex<R>;
  /** What a record is linked to. */
  targets(record: R): RecordRef[];
  /** Without the link to `from`, or with one to `into` in its place. */
  relinked(record: R, ended: Ended): R;
  /** What a link says besides, such as a role. */
  said?(record: R, to: RecordRef): unknown;
  /** What is to be known of a link for it to come back, as JSON. */
  linkOf(record: R, to: RecordRef): unknown;
  /** With the link as it was; the same object when it has no place any more. */
  withLink(record: R, to: RecordRef, was: unknown): R;
}

/** The rows of the link afterwards. `there` is the one to `into` before, `said` what the link says besides. */
function rowsAfter(
  ref: RecordRef,
  { from, into, row, back }: Ended,
  there: LinkRow | undefined,
  said: unknown,
): Pick<Ended, 'both' | 'said'> & { rows: Write[] } {
  if (!into || !row) return { rows: [unlinkRow(ref, from)] };
  if (!back) {
    const arrived = from.by
      ? replacedRow({ from: ref, to: into }, there, joined(there, row, from.by, said))
      : linkRow(ref, into);
    return { rows: [unlinkRow(ref, from), arrived] };
  }
  const { stays, back: came, said: aside } = parted(row, into.id);
  return {
    rows: [
      replacedRow({ from: ref, to: from }, row, stays),
      ...(there ? [] : [replacedRow({ from: ref, to: into }, there, came)]),
    ],
    both: stays !== undefined,
    said: aside,
  };
}

/** Nobody changes a record by merging what it is linked to: who sees the record may see only one of the two. */
function withoutHistory<R extends ListedItem>({ history: _, ...index }: RecordIndex<R>): RecordIndex<R> {
  return index;
}

export function linksOf<R extends ListedItem>(linked: Linked<R>): Links {
  const { index, relinked, linkOf, said = () => undefined } = linked;
  const { type } = index;
  const silent = withoutHistory(index);
  return {
    type,
    async relink(ctx, id, { rests, ...ended }) {
      const { from, into, row } = ended;
      const ref = { type, id };
      const [before, there] = await Promise.all([
        ctx.table.get<R>(keys.record(type, id)),
        into && (from.by || ended.back) ? findLink(ctx.table, ref, into) : undefined,
      ]);
      if (!isThere(before)) return [unlinkRow(ref, from)];
      const { rows, ...parts } = rowsAfter(ref, ended, there, said(before, from));
      const after = {
        ...relinked(before, { ...ended, ...parts }),
        updated_at: nextMoment(before, ctx.now),
      };
      const besides = rests ? [...rows, formerWrite('link', ref, from, linkOf(before, from), row)] : rows;
      const { writes, jobs } = await recordChange(ctx, into ? silent : index, { before, after, besides });
      return [...writes, ...jobs.map(enqueue)];
    },
    linkAgain: (ctx, id, to, former) =>
      changeAgain(ctx, index, id, {
        change: (before) => linked.withLink(before, to, former.was),
        besides: () => [linkRow({ type, id }, to, waysAlone(former))],
      }),
  };
}

const isSame = (a: RecordRef, b: RecordRef) => a.type === b.type && a.id === b.id;

/** Where a link is among others. */
export const placeOf = (links: RecordRef[], to: RecordRef) => links.findIndex((link) => isSame(link, to));

/** The links with `into` in the place of `from`, each once. */
export function relinkedRefs(links: RecordRef[], { from, into, both }: Ended): RecordRef[] {
  const instead = [...(both ? [{ type: from.type, id: from.id }] : []), ...(into ? [into] : [])];
  const after = links.flatMap((link) => (isSame(link, from) ? instead : link));
  return after.filter((link, i) => after.findIndex((other) => isSame(link, other)) === i);
}

/** The links of all families to the record. */
export function linksOfRecords(families: readonly Links[]): Dependent {
  const familyOf = ({ type }: RecordRef) => families.find((family) => family.type === type);

  async function relink({ table, clock }: Work, row: LinkRow, ended: Leaving): Promise<Write[]> {
    const ref = { type: row.record_type, id: row.record_id };
    const family = familyOf(ref);
    if (!family) return [unlinkRow(ref, ended.from)];
    return family.relink({ table, now: clock() }, ref.id, { ...ended, row });
  }

  async function* following(work: Work, ended: Leaving): AsyncGenerator<Write[]> {
    for (;;) {
      const { rows } = await linkedPage(work.table, ended.from, { limit: PAGE });
      if (rows.length === 0) return;
      for (const row of rows) yield await relink(work, row, ended);
    }
  }

  return {
    moving: (work, from, into) => following(work, { from, into }),
    async *returning(work, from, into) {
      let after: string | undefined;
      do {
        const { rows, last } = await linkedPage(work.table, from, { after, limit: PAGE });
        for (const row of rows.filter((each) => cameBy(each, into.id)))
          yield await relink(work, row, { from, into, back: true });
        after = last;
      } while (after);
    },
    removing: (work, from) => following(work, { from, into: undefined }),
    hiding: (work, from) => following(work, { from, into: undefined, rests: true }),
    restoring: (work, to) =>
      linkedAgain(work, 'link', to, async (from, former) => {
        const ctx = { table: work.table, now: work.clock() };
        return (await familyOf(from)?.linkAgain?.(ctx, from.id, to, former)) ?? [];
      }),
  };
}
