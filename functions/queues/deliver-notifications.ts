import { deliverNotifications } from '../../shared/domain/notifications/deliver.ts';
import type { Delivery } from '../../shared/domain/notifications/emit.ts';
import { consume } from '../../shared/queues/consume.ts';

/** Queue `notifications`: those that did not fit into the transaction of what they tell. */
export const handler = consume<Delivery & { job_id: string }>(
  'deliver-notifications',
  ({ job_id, ...delivery }, { table, now }) => deliverNotifications(table, job_id, delivery, now()),
);
