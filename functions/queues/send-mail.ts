import { outgoingMail } from '#shared/composition/outgoing-mail.ts';
import type { SendsMail, WritesMail } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { sendMail } from '#shared/domain/platform/outgoing-mail/send.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';

/** Queue `send-mail`: writes and sends the mail of the service. */
export const handler = consume<{ job_id: string }, WritesMail & SendsMail>(
  'send-mail',
  (ctx, { job_id }) => sendMail(ctx, job_id),
  {
    onFailure: (ctx, record, error) => postpone(ctx, 'send-mail', record, error),
    ports: outgoingMail,
  },
);
