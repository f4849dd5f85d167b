import { mailProblem } from '#shared/config.ts';
import { MailRefused, type SendsMail } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { putIntoOutbox } from './outbox.ts';
import { sendBySes } from './ses.ts';
import { sendBySmtp } from './smtp.ts';

/** Sends by what the configuration names. For the worker only: the bundle has the clients of SES and SMTP. */
export const sendMail: SendsMail['sendMail'] = async ({ config, clock }, letter, signal) => {
  const { provider, from = '', smtp_url = '', outbox = '' } = config.mail;
  const problem = mailProblem(config.mail);
  if (problem) throw new Error(problem);
  if (provider === 'ses') return sendBySes(letter, from, config.ses_endpoint, signal);
  if (provider === 'smtp') return sendBySmtp(letter, from, smtp_url, signal);
  if (provider === 'outbox') return putIntoOutbox(letter, from, outbox, clock());
  // No try will help: a warning in the log is more use than dead letters.
  throw new MailRefused('The service sends no mail: docs/operations.md, "Mail that the service sends".');
};
