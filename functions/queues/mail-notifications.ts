import { notificationMails } from '#shared/composition/notification-mail.ts';
import { visibility } from '#shared/composition/visibility.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { SendsMail, WritesMail } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { sendMail } from '#shared/domain/platform/outgoing-mail/send.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';

/** Queue `mail-notifications`: writes and sends mail about notifications, apart from mail that somebody waits for. */
export const handler = consume<{ job_id: string }, WritesMail & SendsMail & SeesRecords>(
  'mail-notifications',
  (ctx, { job_id }) => sendMail(ctx, job_id),
  {
    onFailure: (ctx, record, error) => postpone(ctx, 'mail-notifications', record, error),
    ports: { ...visibility, ...notificationMails },
  },
);
