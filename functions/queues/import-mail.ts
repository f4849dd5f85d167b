import type { SQSRecord } from 'aws-lambda';
import { mailArrival } from '#shared/composition/mail-arrival.ts';
import { failImport } from '#shared/domain/mail/imports/fail.ts';
import { type FollowsMail, runImport } from '#shared/domain/mail/imports/run.ts';
import { dispatchAgain } from '#shared/domain/platform/jobs/job.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';
import { MAX_RECEIVES } from '#shared/queues/queues.ts';
import { getServices } from '#shared/services.ts';

/** Milliseconds that one more chunk of messages may take. */
const CHUNK_TIME = 120_000;

interface ImportJob {
  job_id: string;
  import_id: string;
}

/** The last delivery of a message ends its import; before that it is tried again. */
async function onFailure(record: SQSRecord, error: unknown): Promise<void> {
  if (Number(record.attributes.ApproximateReceiveCount) < MAX_RECEIVES)
    return postpone('import-mail', record, error);
  await failImport(getServices(), (JSON.parse(record.body) as ImportJob).import_id);
}

/** Queue `import-mail`: reads an uploaded archive into a mailbox; a large one takes several messages. */
export const handler = consume<ImportJob, FollowsMail>(
  'import-mail',
  async ({ job_id, import_id }, services, context) => {
    const state = await runImport(services, import_id, () => context.getRemainingTimeInMillis() < CHUNK_TIME);
    if (state === 'more') await dispatchAgain(services, job_id);
  },
  { onFailure, ports: mailArrival },
);
