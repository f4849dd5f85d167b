import { deliverNotifications } from '#shared/domain/collaboration/notifications/deliver.ts';
import { consume } from '#shared/queues/consume.ts';

/** Queue `notifications`: those that did not fit into the transaction of what they tell. */
export const handler = consume<{ job_id: string }>('deliver-notifications', ({ job_id }, { table, now }) =>
  deliverNotifications(table, job_id, now),
);
