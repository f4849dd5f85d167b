import type { Dependent } from '#shared/domain/collaboration/life/dependent.ts';
import { linkedPage, linkRow, unlinkRow } from '#shared/domain/collaboration/record-lists/linked.ts';
import { nextMoment, recordChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { RecordKinds, RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { taskIndex } from './lists.ts';
import type { Task } from './task.ts';

/** The links of tasks to a record that is merged or deleted: they follow it, or end. */

const PAGE = 25;

const isSame = (a: RecordRef, b: RecordRef) => a.type === b.type && a.id === b.id;

/** The links with `into` in the place of `from`, each once. */
function relinked(links: RecordRef[], from: RecordRef, into: RecordRef | undefined): RecordRef[] {
  const after = links.flatMap((link) => (isSame(link, from) ? (into ?? []) : link));
  return after.filter((link, i) => after.findIndex((other) => isSame(link, other)) === i);
}

export function linksOfTasks(kinds: RecordKinds): Dependent {
  const index = taskIndex(kinds);

  async function relink(
    ctx: { table: Table; now: Date },
    ref: RecordRef,
    from: RecordRef,
    into: RecordRef | undefined,
  ): Promise<Write[]> {
    const rows = [unlinkRow(ref, from), ...(into ? [linkRow(ref, into)] : [])];
    const before = await ctx.table.get<Task>(keys.record('tasks', ref.id));
    if (!isThere(before)) return rows.slice(0, 1);
    const links = relinked(before.links, from, into);
    const after = { ...before, links, updated_at: nextMoment(before, ctx.now) };
    const { writes, jobs } = await recordChange(ctx, index, { before, after, besides: rows });
    return [...writes, ...jobs.map(enqueue)];
  }

  async function* following(
    { table, clock }: Parameters<Dependent['removing']>[0],
    from: RecordRef,
    into: RecordRef | undefined,
  ): AsyncGenerator<Write[]> {
    for (;;) {
      const { refs } = await linkedPage(table, from, { limit: PAGE });
      if (refs.length === 0) return;
      for (const ref of refs) yield await relink({ table, now: clock() }, ref, from, into);
    }
  }

  return {
    moving: (work, from, into) => following(work, from, into),
    removing: (work, record) => following(work, record, undefined),
  };
}
