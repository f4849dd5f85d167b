import type { Dependent } from '#shared/domain/collaboration/life/dependent.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import type { Writing } from './change.ts';
import type { RecordIndex } from './entry.ts';
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
  /** The transaction that replaces or ends the link of one record. */
  relink(ctx: Writing, id: string, ended: Ended): Promise<Write[]>;
}

/** `relinked` is a record with its link to `into` in the place of `from`, or without it. */
export function linksOf<R extends ListedItem>(
  index: RecordIndex<R>,
  relinked: (record: R, ended: Ended) => R,
): Links {
  const { type } = index;
  return {
    type,
    async relink(ctx, id, ended) {
      const ref = { type, id };
      const unlinked = unlinkRow(ref, ended.from);
      const before = await ctx.table.get<R>(keys.record(type, id));
      if (!isThere(before)) return [unlinked];
      const after = { ...relinked(before, ended), updated_at: nextMoment(before, ctx.now) };
      const besides = [unlinked, ...(ended.into ? [linkRow(ref, ended.into)] : [])];
      const { writes, jobs } = await recordChange(ctx, index, { before, after, besides });
      return [...writes, ...jobs.map(enqueue)];
    },
  };
}

const isSame = (a: RecordRef, b: RecordRef) => a.type === b.type && a.id === b.id;

/** The links with `into` in the place of `from`, each once. */
export function relinkedRefs(links: RecordRef[], { from, into }: Ended): RecordRef[] {
  const after = links.flatMap((link) => (isSame(link, from) ? (into ?? []) : link));
  return after.filter((link, i) => after.findIndex((other) => isSame(link, other)) === i);
}

/** The links of all families to the record. */
export function linksOfRecords(families: readonly Links[]): Dependent {
  async function* following(
    { table, clock }: Parameters<Dependent['removing']>[0],
    ended: Ended,
  ): AsyncGenerator<Write[]> {
    for (;;) {
      const { refs } = await linkedPage(table, ended.from, { limit: PAGE });
      if (refs.length === 0) return;
      for (const ref of refs) {
        const family = families.find(({ type }) => type === ref.type);
        yield family
          ? await family.relink({ table, now: clock() }, ref.id, ended)
          : [unlinkRow(ref, ended.from)];
      }
    }
  }

  return {
    moving: (work, from, into) => following(work, { from, into }),
    removing: (work, from) => following(work, { from, into: undefined }),
  };
}
