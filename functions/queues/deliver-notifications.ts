import { visibility } from '#shared/composition/visibility.ts';
import { deliverNotifications } from '#shared/domain/collaboration/notifications/deliver.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { consume } from '#shared/queues/consume.ts';

/** Queue `deliver-notifications`: writes the notifications that did not fit into the transaction of their event. */
export const handler = consume<{ job_id: string }, SeesRecords>(
  'deliver-notifications',
  (ctx, { job_id }) => deliverNotifications(ctx, job_id),
  { ports: visibility },
);
