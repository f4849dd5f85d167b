import { mailServer } from '#shared/composition/mail-server.ts';
import { syncLabels } from '#shared/domain/mail/label-sync/sync.ts';
import type { ReachesMailServers } from '#shared/domain/mail/servers/server.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';

/** Queue `sync-labels`: writes changed flags and read marks to the mail servers. */
export const handler = consume<{ job_id: string }, ReachesMailServers>(
  'sync-labels',
  (ctx, { job_id }) => syncLabels(ctx, job_id),
  {
    onFailure: (ctx, record, error) => postpone(ctx, 'sync-labels', record, error),
    ports: mailServer,
  },
);
