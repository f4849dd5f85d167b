import { digestMail, notificationMail } from '#shared/domain/collaboration/notifications/mails/mail.ts';
import type { SendsMail, WritesMail } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { sendMail } from '#shared/providers/outgoing-mail/sender.ts';

/** Mail about notifications, for its worker only: what it says depends on who sees the records. */
export const notificationMails: WritesMail & SendsMail = {
  mail_kinds: { [notificationMail.name]: notificationMail, [digestMail.name]: digestMail },
  sendMail,
};
