import { codeMail } from '#shared/domain/identity/codes/mail.ts';
import { theftMail } from '#shared/domain/identity/sessions/theft-mail.ts';
import { invitationMail } from '#shared/domain/identity/users/invitation-mail.ts';
import { apiAccessMail, roleMail } from '#shared/domain/identity/users/rights-mail.ts';
import { signupMail } from '#shared/domain/identity/waitlist/invitation-mail.ts';
import type { MailKind, SendsMail, WritesMail } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { sendMail } from '#shared/providers/outgoing-mail/sender.ts';

/** The kinds of mail that the service sends, a line for each. Data of jobs, so each kind takes its own. */
// biome-ignore lint/suspicious/noExplicitAny: each kind has its own data, which its job holds
const kinds: MailKind<any>[] = [codeMail, theftMail, invitationMail, roleMail, apiAccessMail, signupMail];

/** For the worker only: the bundle has every kind and the clients of mail servers. */
export const outgoingMail: WritesMail & SendsMail = {
  mail_kinds: Object.fromEntries(kinds.map((kind) => [kind.name, kind])),
  sendMail,
};
