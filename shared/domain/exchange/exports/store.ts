import { newestPage } from '#shared/domain/exchange/newest.ts';
import { complete } from '#shared/domain/platform/jobs/job.ts';
import { unlessOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { keys } from '#shared/table/keys.ts';
import { among, type Table, update } from '#shared/table/table.ts';
import { KEPT_DAYS, type RecordExport } from './export.ts';

export const findExport = (table: Table, user_id: string, id: string): Promise<RecordExport | undefined> =>
  table.get<RecordExport>(keys.recordExport(user_id, id));

export const listExports = (
  table: Table,
  user_id: string,
  paging: { limit: number; after: string | undefined },
) => newestPage<RecordExport>(table, (id) => keys.recordExport(user_id, id), paging);

export type Progress = Pick<RecordExport, 'parts' | 'bytes' | 'records_written'> &
  Partial<Pick<RecordExport, 'after' | 'upload'>>;

/** Throws Overtaken when another run wrote these parts. */
export async function recordProgress(
  table: Table,
  found: RecordExport,
  progress: Progress,
): Promise<RecordExport> {
  const { user_id, id } = found;
  return unlessOvertaken(
    table.update<RecordExport>(keys.recordExport(user_id, id), {
      set: { ...progress, status: 'running' },
      when: { parts: found.parts, status: among<RecordExport['status']>('pending', 'running') },
    }),
  );
}

/** Completes the export and its job. */
export async function finishExport(
  table: Table,
  { user_id, id, job_id }: RecordExport,
  ended: Pick<RecordExport, 'error'> & Partial<Pick<RecordExport, 'size' | 'records_written'>>,
  now: Date,
): Promise<void> {
  const expires = new Date(now.getTime() + KEPT_DAYS * 86_400_000).toISOString();
  await unlessOvertaken(
    table.transact([
      update<RecordExport>(keys.recordExport(user_id, id), {
        set: {
          ...ended,
          status: ended.error ? 'failed' : 'complete',
          finished_at: now.toISOString(),
          expires_at: ended.error ? null : expires,
        },
        when: { status: among<RecordExport['status']>('pending', 'running') },
      }),
      complete(job_id),
    ]),
  );
}
