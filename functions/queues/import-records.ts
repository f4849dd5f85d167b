import type { SQSRecord } from 'aws-lambda';
import { keeping } from '#shared/composition/keeping.ts';
import { lists } from '#shared/composition/lists.ts';
import type { Context } from '#shared/context.ts';
import { failImport } from '#shared/domain/exchange/imports/fail.ts';
import { runImport } from '#shared/domain/exchange/imports/run.ts';
import type { ImportPorts } from '#shared/domain/exchange/records/row.ts';
import { dispatchRest } from '#shared/domain/platform/jobs/job.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';
import { MAX_RECEIVES } from '#shared/queues/queues.ts';

/** Milliseconds that some more rows may take. */
const ROWS_TIME = 60_000;

interface ImportJob {
  job_id: string;
  user_id: string;
  import_id: string;
}

/** Retries until the last delivery, which marks the import as failed. */
async function onFailure(ctx: Context, record: SQSRecord, error: unknown): Promise<void> {
  if (Number(record.attributes.ApproximateReceiveCount) < MAX_RECEIVES)
    return postpone(ctx, 'import-records', record, error);
  const { user_id, import_id } = JSON.parse(record.body) as ImportJob;
  await failImport(ctx, user_id, import_id);
}

/** Queue `import-records`: makes the rows of an uploaded file records; a large file takes several messages. */
export const handler = consume<ImportJob, ImportPorts>(
  'import-records',
  async (ctx, { job_id, ...job }, context) => {
    const state = await runImport(ctx, job, () => context.getRemainingTimeInMillis() < ROWS_TIME);
    if (state === 'more') await dispatchRest(ctx, job_id);
  },
  { onFailure, ports: { ...keeping, ...lists } },
);
