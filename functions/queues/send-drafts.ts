import { mailServer } from '#shared/composition/mail-server.ts';
import { visibility } from '#shared/composition/visibility.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { SendingBody } from '#shared/domain/mail/drafts/due.ts';
import { sendQueued } from '#shared/domain/mail/drafts/sending/deliver.ts';
import type { ReachesMailServers } from '#shared/domain/mail/servers/server.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';

/** Queue `send-drafts`: gives mail to the servers of mailboxes, once. */
export const handler = consume<SendingBody & { job_id: string }, ReachesMailServers & SeesRecords>(
  'send-drafts',
  (ctx, body) => sendQueued(ctx, body),
  {
    onFailure: (ctx, record, error) => postpone(ctx, 'send-drafts', record, error),
    ports: { ...mailServer, ...visibility },
  },
);
