import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { newJob } from '#shared/domain/platform/jobs/job.ts';
import { ApiError } from '#shared/errors.ts';
import { keyOf } from '#shared/table/keys.ts';
import { update } from '#shared/table/table.ts';
import { mapped } from './columns.ts';
import type { ImportEdit, RecordImport } from './import.ts';
import { requireApplicable } from './policy.ts';

const nothingRead = {
  ...{ rows_read: 0, rows_created: 0, rows_updated: 0, rows_unchanged: 0, rows_failed: 0 },
  ...{ started_at: null, finished_at: null, error: null },
};

/** Runs what was tried, from its first row. 422 `import_not_ready` for all but one of several requests at once. */
export async function applyImport(ctx: CallerContext, id: string, edit: ImportEdit): Promise<RecordImport> {
  const before = await requireApplicable(ctx, id);
  const job = newJob('import-records', { user_id: before.user_id, import_id: id }, ctx.now);
  const changes = {
    ...nothingRead,
    dry_run: false,
    status: 'pending' as const,
    run: before.run + 1,
    job_id: job.id,
    position: { offset: before.begin, row: 0 },
    careful_until: 0,
    columns: mapped(before.record_type, before.columns, edit.mapping),
    date_order: edit.date_order ?? before.date_order,
  };
  const write = {
    ...update<RecordImport>(keyOf(before), { set: changes, when: { run: before.run, dry_run: true } }),
    otherwise: () => new ApiError('import_not_ready'),
  };
  await commit(ctx, { writes: [write], jobs: [job] });
  return { ...before, ...changes };
}
