import { erasing } from '#shared/composition/erasing.ts';
import { eraseAccounts } from '#shared/domain/identity/erasing/erase.ts';
import type { ErasesObjects } from '#shared/domain/identity/erasing/port.ts';
import { dispatchAgain } from '#shared/domain/platform/jobs/job.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';

/** Milliseconds that one more page of the table may take, with all that hangs on it. */
const PAGE_TIME = 240_000;

/** Queue `erase-accounts`: erases closed accounts when their time has come; a large table takes several messages. */
export const handler = consume<{ job_id: string }, ErasesObjects>(
  'erase-accounts',
  async (ctx, { job_id }, context) => {
    const timeIsUp = () => context.getRemainingTimeInMillis() < PAGE_TIME;
    if ((await eraseAccounts(ctx, job_id, timeIsUp)) === 'more') await dispatchAgain(ctx, job_id);
  },
  {
    onFailure: (ctx, record, error) => postpone(ctx, 'erase-accounts', record, error),
    ports: erasing,
  },
);
