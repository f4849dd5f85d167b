import { newestPage } from '#shared/domain/exchange/newest.ts';
import { complete } from '#shared/domain/platform/jobs/job.ts';
import { unlessOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { keys } from '#shared/table/keys.ts';
import { among, at, type Table, update, type Write } from '#shared/table/table.ts';
import type { Position, RecordImport, ResultsItem, RowResult, RowStatus } from './import.ts';
import { readBefore } from './passes.ts';
import { carefulUntil } from './suspect.ts';

/** Results of rows are kept as long as the uploaded file. */
const KEPT_SECONDS = 30 * 86_400;

export const findImport = (table: Table, user_id: string, id: string): Promise<RecordImport | undefined> =>
  table.get<RecordImport>(keys.recordImport(user_id, id));

/** Newest first. */
export const listImports = (
  table: Table,
  user_id: string,
  paging: { limit: number; after: string | undefined },
) => newestPage<RecordImport>(table, (id) => keys.recordImport(user_id, id), paging);

const statuses = ['created', 'updated', 'unchanged', 'failed'] as const satisfies readonly RowStatus[];

/** Statuses that are rare in most files, and looked for: rows with them are stored once more. */
const LOOKED_FOR: readonly RowStatus[] = ['failed'];

function resultWrites({ id, run, position }: RecordImport, results: RowResult[], now: Date): Write[] {
  const last = results.at(-1);
  if (!last) return [];
  const read_before = readBefore(position);
  const place = read_before + last.number;
  const expires_epoch = Math.floor(now.getTime() / 1_000) + KEPT_SECONDS;
  const common = { expires_epoch, ...(read_before > 0 ? { read_before } : {}) };
  const whole: ResultsItem = { ...keys.importRows(id, run, place), results, ...common };
  const parts = LOOKED_FOR.flatMap((status) => {
    const some = results.filter((each) => each.status === status);
    const key = keys.importRowsOf(id, run, status, place);
    return some.length === 0 ? [] : [{ put: { ...key, results: some, ...common } }];
  });
  return [{ put: whole }, ...parts];
}

function counted(results: RowResult[]) {
  const of = (status: RowStatus) => results.filter((each) => each.status === status).length;
  const counts = statuses.map((status) => [`rows_${status}`, of(status)] as const);
  return { rows_read: results.length, ...Object.fromEntries(counts) } as Record<
    'rows_read' | 'rows_created' | 'rows_updated' | 'rows_unchanged' | 'rows_failed',
    number
  >;
}

const asRead = ({ run, position }: RecordImport) => ({
  run,
  position: at('row', position.row),
  status: 'running' as const,
});

/** The results of rows, and where reading continues, at once. Returns where it is now; the counts are in the table. */
export async function recordRows(
  table: Table,
  found: RecordImport,
  { results, position, now }: { results: RowResult[]; position: Position; now: Date },
): Promise<RecordImport> {
  const { user_id, id } = found;
  const careful_until = carefulUntil(found);
  const progress = update<RecordImport>(keys.recordImport(user_id, id), {
    set: { position, tries: 0, careful_until },
    add: counted(results),
    when: asRead(found),
  });
  await unlessOvertaken(table.transact([...resultWrites(found, results, now), progress]));
  return { ...found, position, tries: 0, careful_until };
}

/** Counts one more run that is to read rows. */
export const beginRun = (table: Table, { user_id, id, run }: RecordImport): Promise<RecordImport> =>
  unlessOvertaken(
    table.update<RecordImport>(keys.recordImport(user_id, id), {
      add: { tries: 1 },
      when: { status: 'running', run },
    }),
  );

export const beginImport = (table: Table, { user_id, id, run }: RecordImport, now: Date) =>
  unlessOvertaken(
    table.update<RecordImport>(keys.recordImport(user_id, id), {
      set: { status: 'running', started_at: now.toISOString() },
      when: { status: 'pending', run },
    }),
  );

/** Completes the import and its job. */
export async function finishImport(
  table: Table,
  { user_id, id, run, job_id }: RecordImport,
  error: RecordImport['error'],
  now: Date,
): Promise<void> {
  await unlessOvertaken(
    table.transact([
      update<RecordImport>(keys.recordImport(user_id, id), {
        set: { status: error ? 'failed' : 'complete', finished_at: now.toISOString(), error },
        when: { status: among<RecordImport['status']>('pending', 'running'), run },
      }),
      complete(job_id),
    ]),
  );
}
