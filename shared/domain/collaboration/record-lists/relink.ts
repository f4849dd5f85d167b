import type { Dependent, Work } from '#shared/domain/collaboration/life/dependent.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { changeAgain } from './again.ts';
import type { Writing } from './change.ts';
import type { RecordIndex } from './entry.ts';
import { formerWrite, linkedAgain } from './former.ts';
import { linkedPage, linkRow, unlinkRow } from './linked.ts';
import { type ListedItem, recordChange } from './record-change.ts';

/** Links of records to one that is merged or deleted: they follow it, or end. */

const PAGE = 25;

/** A record that ends, and the one that it was merged into. */
export interface Ended {
  from: RecordRef;
  into: RecordRef | undefined;
}

/** The links of one family's records. */
export interface Links {
  type: RecordType;
  /** The transaction that replaces or ends the link of one record; `rests`: it may come back. */
  relink(ctx: Writing, id: string, ended: Ended & { rests?: boolean }): Promise<Write[]>;
  /** The transaction that links one record again. None for links that do not come back. */
  linkAgain?(ctx: Writing, id: string, to: RecordRef, was: unknown): Promise<Write[]>;
}

/** How the records of a family are linked to others. */
export interface Linked<R extends ListedItem> {
  index: RecordIndex<R>;
  /** What a record is linked to. */
  targets(record: R): RecordRef[];
  /** Without the link to `from`, or with one to `into` in its place. */
  relinked(record: R, ended: Ended): R;
  /** What is to be known of a link for it to come back, as JSON. */
  linkOf(record: R, to: RecordRef): unknown;
  /** With the link as it was; the same object when it has no place any more. */
  withLink(record: R, to: RecordRef, was: unknown): R;
}

export function linksOf<R extends ListedItem>(linked: Linked<R>): Links {
  const { index, relinked, linkOf } = linked;
  const { type } = index;
  return {
    type,
    async relink(ctx, id, { rests, ...ended }) {
      const ref = { type, id };
      const unlinked = unlinkRow(ref, ended.from);
      const before = await ctx.table.get<R>(keys.record(type, id));
      if (!isThere(before)) return [unlinked];
      const after = { ...relinked(before, ended), updated_at: nextMoment(before, ctx.now) };
      const besides = [
        unlinked,
        ...(ended.into ? [linkRow(ref, ended.into)] : []),
        ...(rests ? [formerWrite('link', ref, ended.from, linkOf(before, ended.from))] : []),
      ];
      const { writes, jobs } = await recordChange(ctx, index, { before, after, besides });
      return [...writes, ...jobs.map(enqueue)];
    },
    linkAgain: (ctx, id, to, was) =>
      changeAgain(ctx, index, id, {
        change: (before) => linked.withLink(before, to, was),
        besides: () => [linkRow({ type, id }, to)],
      }),
  };
}

const isSame = (a: RecordRef, b: RecordRef) => a.type === b.type && a.id === b.id;

/** Where a link is among others. */
export const placeOf = (links: RecordRef[], to: RecordRef) => links.findIndex((link) => isSame(link, to));

/** The links with `into` in the place of `from`, each once. */
export function relinkedRefs(links: RecordRef[], { from, into }: Ended): RecordRef[] {
  const after = links.flatMap((link) => (isSame(link, from) ? (into ?? []) : link));
  return after.filter((link, i) => after.findIndex((other) => isSame(link, other)) === i);
}

/** The links of all families to the record. */
export function linksOfRecords(families: readonly Links[]): Dependent {
  const familyOf = ({ type }: RecordRef) => families.find((family) => family.type === type);

  async function* following(
    { table, clock }: Work,
    ended: Ended & { rests?: boolean },
  ): AsyncGenerator<Write[]> {
    for (;;) {
      const { refs } = await linkedPage(table, ended.from, { limit: PAGE });
      if (refs.length === 0) return;
      for (const ref of refs) {
        const family = familyOf(ref);
        yield family
          ? await family.relink({ table, now: clock() }, ref.id, ended)
          : [unlinkRow(ref, ended.from)];
      }
    }
  }

  return {
    moving: (work, from, into) => following(work, { from, into }),
    removing: (work, from) => following(work, { from, into: undefined }),
    hiding: (work, from) => following(work, { from, into: undefined, rests: true }),
    restoring: (work, to) =>
      linkedAgain(work, 'link', to, async (from, was) => {
        const ctx = { table: work.table, now: work.clock() };
        return (await familyOf(from)?.linkAgain?.(ctx, from.id, to, was)) ?? [];
      }),
  };
}
