import { requireWritableCalendar } from '#shared/domain/calendar/calendars/policy.ts';
import { requireUnusedUpload } from '#shared/domain/collaboration/uploads/policy.ts';
import type { Upload } from '#shared/domain/collaboration/uploads/upload.ts';
import { useOf } from '#shared/domain/collaboration/uploads/use.ts';
import { listPipelines } from '#shared/domain/crm/pipelines/store.ts';
import { type ByteSource, inWindows } from '#shared/domain/exchange/formats/source.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { newJob } from '#shared/domain/platform/jobs/job.ts';
import { ApiError, invalidField, recordNotFound } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { type Bucket, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist } from '#shared/table/table.ts';
import { layoutOf, mapped } from './columns.ts';
import type { ImportDraft, RecordImport } from './import.ts';

/** The uploaded bytes. */
export const uploadedBytes = (
  bucket: Bucket,
  { upload_id, size }: Pick<RecordImport, 'upload_id' | 'size'>,
): ByteSource =>
  inWindows({ size, read: (start, end) => bucket.read(objectKeys.upload(upload_id), start, end) });

async function requirePipeline(ctx: CallerContext, { record_type, pipeline_id }: ImportDraft): Promise<void> {
  if (pipeline_id == null) return;
  if (record_type !== 'deals') throw invalidField('pipeline_id', 'invalid', 'is for deals');
  const { pipelines } = await listPipelines(ctx);
  if (!pipelines.some(({ id }) => id === pipeline_id)) throw recordNotFound();
}

/** As for a request that creates an event in it. */
async function requireCalendar(ctx: CallerContext, { record_type, calendar_id }: ImportDraft): Promise<void> {
  if (record_type === 'calendar_events') {
    if (calendar_id == null) throw invalidField('calendar_id', 'required', 'is required for calendar events');
    await requireWritableCalendar(ctx, calendar_id);
  } else if (calendar_id != null) throw invalidField('calendar_id', 'invalid', 'is for calendar events');
}

function newImport({ caller, now }: CallerContext, upload: Upload, draft: ImportDraft) {
  const id = newId(now);
  const key = keys.recordImport(caller.user.id, id);
  const job = newJob('import-records', { user_id: caller.user.id, import_id: id }, now);
  return {
    ...key,
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    upload_id: upload.id,
    job_id: job.id,
    file_name: upload.file_name,
    size: upload.size,
    record_type: draft.record_type,
    pipeline_id: draft.pipeline_id ?? null,
    calendar_id: draft.calendar_id ?? null,
    dry_run: draft.dry_run,
    status: 'pending' as const,
    run: 1,
    ...{ rows_read: 0, rows_created: 0, rows_updated: 0, rows_unchanged: 0, rows_failed: 0 },
    error: null,
    created_at: now.toISOString(),
    ...{ started_at: null, finished_at: null },
    job,
  };
}

/**
 * 404 for an upload of somebody else, an unknown pipeline or a hidden calendar, 403 and 422 for one in which the caller
 * creates no events, 409 `upload_already_used`, 422 `upload_incomplete` and
 * `file_unreadable`, 400 for a mapping that does not fit. Whatever fails, the upload can be used again.
 */
export async function createImport(
  ctx: CallerContext,
  bucket: Bucket,
  draft: ImportDraft,
): Promise<RecordImport> {
  const upload = await requireUnusedUpload(ctx, draft.upload_id);
  await requirePipeline(ctx, draft);
  await requireCalendar(ctx, draft);
  if ((await bucket.size(objectKeys.upload(upload.id))) !== upload.size)
    throw new ApiError('upload_incomplete');
  const { job, ...begun } = newImport(ctx, upload, draft);
  const layout = await layoutOf(uploadedBytes(bucket, begun), upload.file_name, draft);
  const created: RecordImport = {
    ...begun,
    ...layout,
    columns: mapped(draft.record_type, layout.columns, draft.mapping),
    date_order: draft.date_order ?? layout.date_order,
    position: { offset: layout.begin, row: 0 },
  };
  await commit(ctx, { writes: [{ put: created, when: mustNotExist }, useOf(upload, ctx.now)], jobs: [job] });
  return created;
}
