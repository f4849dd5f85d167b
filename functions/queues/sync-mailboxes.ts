import { dependents } from '#shared/composition/dependents.ts';
import { mailArrival } from '#shared/composition/mail-arrival.ts';
import { mailServer } from '#shared/composition/mail-server.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { type SyncMail, syncMailbox } from '#shared/domain/mail/sync/run.ts';
import type { SyncPorts } from '#shared/domain/mail/sync/syncing.ts';
import { dispatchRest } from '#shared/domain/platform/jobs/job.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';

/** Milliseconds that one more batch of messages may take, from a slow server. */
const BATCH_TIME = 300_000;

/** Queue `sync-mailboxes`: reads mailboxes from their servers; a big one takes several messages. */
export const handler = consume<SyncMail, SyncPorts>(
  'sync-mailboxes',
  async (ctx, body, context) => {
    const timeIsUp = () => context.getRemainingTimeInMillis() < BATCH_TIME;
    if ((await syncMailbox(ctx, body, timeIsUp)) === 'more') await dispatchRest(ctx, body.job_id);
  },
  {
    onFailure: (ctx, record, error) => postpone(ctx, 'sync-mailboxes', record, error),
    ports: { ...mailArrival, ...mailServer, ...dependents, ...visibility },
  },
);
