import { pushServices } from '#shared/composition/push-services.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { sendNotifications } from '#shared/domain/collaboration/notifications/push/push.ts';
import type { SendsPushes } from '#shared/domain/collaboration/notifications/push/service.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { ifOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';

/** Queue `push-notifications`: sends notifications to the devices of their users, and plans those by mail. */
export const handler = consume<{ job_id: string }, SeesRecords & SendsPushes>(
  'push-notifications',
  (ctx, { job_id }) => ifOvertaken(undefined, () => sendNotifications(ctx, job_id)),
  {
    onFailure: (ctx, record, error) => postpone(ctx, 'push-notifications', record, error),
    ports: { ...visibility, ...pushServices },
  },
);
