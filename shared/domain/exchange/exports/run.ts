import type { Context } from '#shared/context.ts';
import { asUser } from '#shared/domain/exchange/as-user.ts';
import { ifOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { ApiError } from '#shared/errors.ts';
import { bucketOf, objectKeys } from '#shared/providers/files/bucket.ts';
import { partsOf, SMALLEST_PART } from '#shared/providers/files/parts.ts';
import { readFilters } from './create.ts';
import { isFinished, type RecordExport } from './export.ts';
import { fileKinds } from './file-kinds.ts';
import { headOf, linesOf, tailOf } from './lines.ts';
import { type ExportPorts, exportSources, type ShownPage } from './sources.ts';
import { findExport, finishExport, recordProgress } from './store.ts';

/**
 * Writes an export in parts, each recorded with the page after it: an interrupted run writes at most one part again, and
 * none of it is in memory twice. Records that change meanwhile are as they were when their page was read.
 */

const PAGE = 100;

type RunContext = Context<ExportPorts>;

const contentType = ({ format }: RecordExport) => fileKinds[format].content_type;

const keyOf = ({ account_id, id }: RecordExport) => objectKeys.export(account_id, id);

/** What is written of a part that is not full. */
class Buffered {
  readonly #texts: Buffer[] = [];
  length = 0;
  records = 0;

  add(text: string, records: number): void {
    const bytes = Buffer.from(text);
    this.#texts.push(bytes);
    this.length += bytes.length;
    this.records += records;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#texts);
  }
}

async function writePart(
  ctx: RunContext,
  found: RecordExport,
  part: Buffered,
  after: string | undefined,
): Promise<RecordExport> {
  const parts = partsOf(ctx);
  const upload = found.upload ?? (await parts.begin(keyOf(found), contentType(found)));
  const tag = await parts.put(keyOf(found), upload, found.parts.length + 1, part.bytes);
  return recordProgress(ctx.table, found, {
    upload,
    parts: [...found.parts, tag],
    bytes: found.bytes + part.length,
    records_written: found.records_written + part.records,
    ...(after === undefined ? {} : { after }),
  });
}

/** The object appears at once. A run that was interrupted after that finds it. */
async function finish(ctx: RunContext, found: RecordExport, last: Buffered): Promise<void> {
  const { table } = ctx;
  const key = keyOf(found);
  const size = found.bytes + last.length;
  if (found.upload === undefined) await bucketOf(ctx).put(key, last.bytes, contentType(found));
  else if ((await bucketOf(ctx).size(key)) === undefined) {
    const parts = partsOf(ctx);
    const tag = await parts.put(key, found.upload, found.parts.length + 1, last.bytes);
    await parts.complete(key, found.upload, [...found.parts, tag]);
  }
  const records_written = found.records_written + last.records;
  await finishExport(table, found, { error: null, size, records_written }, ctx.clock());
}

async function writeAll(
  ctx: RunContext,
  started: RecordExport,
  pageAfter: (after: string | undefined) => Promise<ShownPage>,
  timeIsUp: () => boolean,
): Promise<'done' | 'more'> {
  let found = started;
  let part = new Buffered();
  if (found.parts.length === 0) part.add(headOf(found), 0);
  for (let after: string | undefined = found.after; ; ) {
    const { records, next } = await pageAfter(after);
    part.add(linesOf(found, records), records.length);
    if (next === null) {
      part.add(tailOf(found), 0);
      await finish(ctx, found, part);
      return 'done';
    }
    after = next;
    if (part.length < SMALLEST_PART) continue;
    found = await writePart(ctx, found, part, next);
    part = new Buffered();
    if (timeIsUp()) return 'more';
  }
}

const refusals = {
  user_inactive: 'The user who exports is no longer active.',
  filters_gone: 'A record or a custom field that the filters name is gone, or no longer visible.',
};

async function runFound(ctx: RunContext, found: RecordExport, timeIsUp: () => boolean) {
  const refuse = async (code: keyof typeof refusals) => {
    const error = { code, message: refusals[code] };
    await finishExport(ctx.table, found, { error }, ctx.clock());
    return 'done' as const;
  };
  const user_ctx = await asUser(ctx, found);
  if (!user_ctx) return refuse('user_inactive');
  const filters = readFilters(found);
  const source = exportSources[found.record_type];
  try {
    const pageAfter = (after: string | undefined) => source.page(user_ctx, filters, { limit: PAGE, after });
    return await writeAll(ctx, found, pageAfter, timeIsUp);
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return refuse('filters_gone');
    throw error;
  }
}

/** `more` when the time was up: another message of the job continues. */
export async function runExport(
  ctx: RunContext,
  { user_id, export_id }: { user_id: string; export_id: string },
  timeIsUp: () => boolean,
): Promise<'done' | 'more'> {
  const found = await findExport(ctx.table, user_id, export_id);
  if (!found || isFinished(found)) return 'done';
  return ifOvertaken('done' as const, () => runFound(ctx, found, timeIsUp));
}
