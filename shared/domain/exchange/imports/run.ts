import { mapAtOnce } from '#shared/at-once.ts';
import type { Context } from '#shared/context.ts';
import { asUser } from '#shared/domain/exchange/as-user.ts';
import { BrokenCsv } from '#shared/domain/exchange/formats/csv-reader.ts';
import { type AnyFamily, importFamilies } from '#shared/domain/exchange/records/families.ts';
import type { ImportPorts, SentRow } from '#shared/domain/exchange/records/row.ts';
import { rowError, storeRow } from '#shared/domain/exchange/records/store-row.ts';
import { ifOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { ApiError } from '#shared/errors.ts';
import { newIdFrom } from '#shared/ids.ts';
import { bucketOf, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { ItemTooLarge } from '#shared/table/table.ts';
import { Turns } from '#shared/turns.ts';
import { uploadedBytes } from './create.ts';
import { type Entry, entriesOf } from './entries.ts';
import { isFinished, type RecordImport, type RowResult } from './import.ts';
import { isSecondPass, needsSecondPass, startOfSecondPass } from './passes.ts';
import { beginImport, beginRun, findImport, finishImport, recordRows } from './store.ts';
import { isCareful, isPatient, isPoison, note, poisonError, ROWS, unnote } from './suspect.ts';

/**
 * Runs an import from its position until it is complete or the time is up. The results of some rows are written together
 * with the position after them: an interrupted run stores these rows again, which creates nothing twice, because the id
 * of a record follows from the import and the row.
 */

/** Bytes of rows that are read together. */
const BYTES = 4 * 1024 * 1024;
/** Rows stored at once. */
const AT_ONCE = 8;

type RunContext = Context<ImportPorts>;

interface Run {
  ctx: RunContext;
  family: AnyFamily;
  timeIsUp: () => boolean;
}

type ReadRow = { number: number; id: string; row: SentRow } | { number: number; failed: RowResult };

function readEntry({ id, created_at, position }: RecordImport, { number, read }: Entry): ReadRow[] {
  if (position.poison?.includes(number)) return [];
  try {
    const row = read();
    if (row === undefined) return [];
    return [{ number, id: newIdFrom(new Date(created_at), id, String(number)), row }];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [{ number, failed: { number, status: 'failed', error: rowError(error) } }];
  }
}

/** The records that an interrupted run created. */
async function thereAmong({ ctx, family }: Run, rows: ReadRow[]): Promise<Set<string>> {
  const ids = rows.flatMap((row) => ('id' in row ? row.id : []));
  const found = await ctx.table.getMany<{ id: string }>(ids.map((id) => keys.record(family.type, id)));
  return new Set(found.map(({ id }) => id));
}

class Inactive extends Error {}

const isLater = (each: ReadRow) => 'row' in each && each.row.later === true;

async function storeRows(run: Run, found: RecordImport, rows: ReadRow[]): Promise<RowResult[]> {
  const { dry_run, pipeline_id, calendar_id } = found;
  const ctx = await asUser(run.ctx, found);
  if (!ctx) throw new Inactive();
  const there = dry_run ? new Set<string>() : await thereAmong(run, rows);
  const turns = new Turns();
  return mapAtOnce(rows, AT_ONCE, async (each): Promise<RowResult> => {
    if ('failed' in each) return each.failed;
    const { number, id, row } = each;
    const target = {
      id,
      there: there.has(id),
      patient: isPatient(found),
      dry_run,
      options: { pipeline_id, calendar_id },
      turns,
    };
    return { number, ...(await storeRow(ctx, run.family, row, target)) };
  });
}

/** The results of some rows, and that reading continues after them: in halves where the table does not take them at once. */
async function record(
  run: Run,
  found: RecordImport,
  entries: Entry[],
  { results, leaves_some }: { results: RowResult[]; leaves_some: boolean },
): Promise<RecordImport> {
  const last = entries.at(-1);
  if (!last) return found;
  const { position: before } = found;
  const position = {
    ...before,
    ...(last.head ? { head: last.head } : {}),
    ...(leaves_some ? { leaves_some } : {}),
    offset: last.next,
    row: before.row + entries.length,
  };
  try {
    return await recordRows(run.ctx.table, found, { results, position, now: run.ctx.clock() });
  } catch (error) {
    if (!(error instanceof ItemTooLarge) || entries.length === 1) throw error;
  }
  const middle = Math.ceil(entries.length / 2);
  const numbers = new Set(entries.slice(0, middle).map(({ number }) => number));
  const [first = [], second = []] = [true, false].map((is) =>
    results.filter(({ number }) => numbers.has(number) === is),
  );
  const between = await record(run, found, entries.slice(0, middle), { results: first, leaves_some });
  return record(run, between, entries.slice(middle), { results: second, leaves_some });
}

async function finishRows(run: Run, found: RecordImport, entries: Entry[]): Promise<RecordImport> {
  const rows = entries.flatMap((entry) => readEntry(found, entry));
  const now = rows.filter((each) => isLater(each) === isSecondPass(found.position));
  const results = await storeRows(run, found, now);
  return record(run, found, entries, { results, leaves_some: now.length < rows.length });
}

/** A row that stopped the import has this as its result, and is not read in another pass. */
function refusePoison(
  { ctx }: Run,
  found: RecordImport,
  { number, next, head }: Entry,
): Promise<RecordImport> {
  const { position: before } = found;
  const position = {
    ...before,
    ...(head ? { head } : {}),
    poison: [...(before.poison ?? []), number],
    offset: next,
    row: before.row + 1,
  };
  const results: RowResult[] = [{ number, status: 'failed', error: poisonError }];
  return recordRows(ctx.table, found, { results, position, now: ctx.clock() });
}

async function finishAlone(run: Run, found: RecordImport, entry: Entry): Promise<RecordImport> {
  const { table } = run.ctx;
  await note(table, found);
  try {
    return await finishRows(run, found, [entry]);
  } catch (error) {
    await unnote(table, found, error);
    throw error;
  }
}

/** The rows of one pass; undefined when the time is up. */
async function readToEnd(
  run: Run,
  started: RecordImport,
): Promise<{ found: RecordImport; broken?: BrokenCsv } | undefined> {
  let found = started;
  let entries: Entry[] = [];
  let broken: BrokenCsv | undefined;
  try {
    for await (const entry of entriesOf(uploadedBytes(bucketOf(run.ctx), found), found, run.family)) {
      if (isCareful(found)) {
        const wasPoison = isPoison(found);
        found = await (wasPoison ? refusePoison(run, found, entry) : finishAlone(run, found, entry));
        // A new message of the job has all its tries.
        if (wasPoison || run.timeIsUp()) return undefined;
        continue;
      }
      entries.push(entry);
      const bytes = entries.reduce((sum, each) => sum + each.bytes, 0);
      if (entries.length < ROWS && bytes < BYTES) continue;
      found = await finishRows(run, found, entries);
      entries = [];
      if (run.timeIsUp()) return undefined;
    }
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    broken = error;
  }
  found = await finishRows(run, found, entries);
  return { found, ...(broken ? { broken } : {}) };
}

async function importAll(run: Run, started: RecordImport): Promise<'done' | 'more'> {
  const { ctx } = run;
  const first = await readToEnd(run, started);
  if (!first) return 'more';
  const { broken } = first;
  let { found } = first;
  if (needsSecondPass(found.position)) {
    const position = startOfSecondPass(found);
    found = await recordRows(ctx.table, found, { results: [], position, now: ctx.clock() });
    if (run.timeIsUp() || !(await readToEnd(run, found))) return 'more';
  }
  const error = broken && {
    code: 'quote_not_closed',
    message: `A quotation mark in row ${broken.row} is not closed: rows from there on cannot be read.`,
  };
  await finishImport(ctx.table, found, error ?? null, ctx.clock());
  return 'done';
}

const refusals = {
  upload_expired: 'The uploaded file is gone: it is kept for 30 days.',
  user_inactive: 'The user who imports is no longer active.',
};

async function runFound(run: Run, found: RecordImport): Promise<'done' | 'more'> {
  const { ctx } = run;
  const refuse = async (code: keyof typeof refusals) => {
    await finishImport(ctx.table, found, { code, message: refusals[code] }, ctx.clock());
    return 'done' as const;
  };
  if ((await bucketOf(ctx).size(objectKeys.upload(found.upload_id))) === undefined)
    return refuse('upload_expired');
  if (found.status === 'pending') await beginImport(ctx.table, found, ctx.clock());
  const started = await beginRun(ctx.table, found);
  try {
    return await importAll(run, started);
  } catch (error) {
    if (error instanceof Inactive) return refuse('user_inactive');
    throw error;
  }
}

/** `more` when the time was up: another message of the job continues. */
export async function runImport(
  ctx: RunContext,
  { user_id, import_id }: { user_id: string; import_id: string },
  timeIsUp: () => boolean,
): Promise<'done' | 'more'> {
  const found = await findImport(ctx.table, user_id, import_id);
  if (!found || isFinished(found)) return 'done';
  return ifOvertaken('done' as const, () =>
    runFound({ ctx, family: importFamilies[found.record_type], timeIsUp }, found),
  );
}
