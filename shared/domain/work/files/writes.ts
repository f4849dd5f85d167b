import type { Context } from '#shared/context.ts';
import { linkWrites } from '#shared/domain/collaboration/record-lists/linked.ts';
import { recordChange, recordDeletion } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { RecordKinds, RecordRef, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, noChange } from '#shared/domain/platform/jobs/commit.ts';
import type { Write } from '#shared/table/table.ts';
import type { File } from './file.ts';
import { fileIndex } from './lists.ts';

/** The records that it is linked to, the threads of its mails included. */
function linksOf(file: File | undefined): RecordRef[] {
  const threads = new Set(file?.carriers?.map(({ thread_id }) => thread_id));
  return [...(file?.links ?? []), ...[...threads].map((id) => ({ type: 'threads' as const, id }))];
}

export const rowsOf = (before: File | undefined, after: File | undefined): Write[] =>
  linkWrites({ type: 'files', id: (after ?? before)?.id ?? '' }, linksOf(before), linksOf(after));

/**
 * The change that creates or changes a file, with its links and its lists. It fails when another request changes one of
 * these. `besides` are further writes.
 */
export async function fileChange(
  ctx: Pick<Context, 'table' | 'now'> & Partial<Pick<CallerContext, 'caller'>>,
  kinds: RecordKinds,
  { before, after, besides = [] }: { before: File | undefined; after: File; besides?: Write[] },
): Promise<Change> {
  if (before === after) return noChange;
  const writes = [...besides, ...rowsOf(before, after)];
  return recordChange(ctx, fileIndex(kinds), { before, after, besides: writes });
}

/** The change that marks a file as deleted. */
export const fileDeletion = (ctx: CallerContext<SeesRecords>, file: File): Promise<Change> =>
  recordDeletion(ctx, fileIndex(ctx.ports.records), file, rowsOf(file, undefined));
