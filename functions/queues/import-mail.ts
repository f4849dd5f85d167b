import { runImport } from '../../shared/domain/imports/run.ts';
import { dispatchAgain } from '../../shared/domain/jobs/job.ts';
import { consume } from '../../shared/queues/consume.ts';

/** Milliseconds that one more chunk of messages may take. */
const CHUNK_TIME = 120_000;

/** Queue `mail-import`: reads an uploaded archive into a mailbox; a large one takes several messages. */
export const handler = consume<{ job_id: string; import_id: string }>(
  'import-mail',
  async ({ job_id, import_id }, services, context) => {
    const state = await runImport(services, import_id, () => context.getRemainingTimeInMillis() < CHUNK_TIME);
    if (state === 'more') await dispatchAgain(services, job_id);
  },
);
