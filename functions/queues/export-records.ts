import type { SQSRecord } from 'aws-lambda';
import { interactions } from '#shared/composition/interactions.ts';
import { visibility } from '#shared/composition/visibility.ts';
import type { Context } from '#shared/context.ts';
import { failExport } from '#shared/domain/exchange/exports/fail.ts';
import { runExport } from '#shared/domain/exchange/exports/run.ts';
import type { ExportPorts } from '#shared/domain/exchange/exports/sources.ts';
import { dispatchRest } from '#shared/domain/platform/jobs/job.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';
import { MAX_RECEIVES } from '#shared/queues/queues.ts';

/** Milliseconds that one more part may take. */
const PART_TIME = 120_000;

interface ExportJob {
  job_id: string;
  user_id: string;
  export_id: string;
}

/** Retries until the last delivery, which marks the export as failed. */
async function onFailure(ctx: Context, record: SQSRecord, error: unknown): Promise<void> {
  if (Number(record.attributes.ApproximateReceiveCount) < MAX_RECEIVES)
    return postpone(ctx, 'export-records', record, error);
  const { user_id, export_id } = JSON.parse(record.body) as ExportJob;
  await failExport(ctx, user_id, export_id);
}

/** Queue `export-records`: writes records into a file; many take several messages. */
export const handler = consume<ExportJob, ExportPorts>(
  'export-records',
  async (ctx, { job_id, ...job }, context) => {
    const state = await runExport(ctx, job, () => context.getRemainingTimeInMillis() < PART_TIME);
    if (state === 'more') await dispatchRest(ctx, job_id);
  },
  { onFailure, ports: { ...visibility, ...interactions } },
);
