import type { SQSRecord } from 'aws-lambda';
import { dependents } from '#shared/composition/dependents.ts';
import { mailArrival } from '#shared/composition/mail-arrival.ts';
import { visibility } from '#shared/composition/visibility.ts';
import type { Context } from '#shared/context.ts';
import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { FollowsMail } from '#shared/domain/mail/arriving/arrived.ts';
import { failImport } from '#shared/domain/mail/imports/fail.ts';
import { runImport } from '#shared/domain/mail/imports/run.ts';
import { dispatchRest } from '#shared/domain/platform/jobs/job.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';
import { MAX_RECEIVES } from '#shared/queues/queues.ts';

/** Milliseconds that one more chunk of messages may take. */
const CHUNK_TIME = 120_000;

interface ImportJob {
  job_id: string;
  import_id: string;
}

/** Retries until the last delivery, which marks the import as failed. */
async function onFailure(ctx: Context, record: SQSRecord, error: unknown): Promise<void> {
  if (Number(record.attributes.ApproximateReceiveCount) < MAX_RECEIVES)
    return postpone(ctx, 'import-mail', record, error);
  await failImport(ctx, (JSON.parse(record.body) as ImportJob).import_id);
}

/** Queue `import-mail`: reads an uploaded archive into a mailbox; a large one takes several messages. */
export const handler = consume<ImportJob, FollowsMail & KnowsDependents & SeesRecords>(
  'import-mail',
  async (ctx, { job_id, import_id }, context) => {
    const state = await runImport(ctx, import_id, () => context.getRemainingTimeInMillis() < CHUNK_TIME);
    if (state === 'more') await dispatchRest(ctx, job_id);
  },
  { onFailure, ports: { ...mailArrival, ...dependents, ...visibility } },
);
