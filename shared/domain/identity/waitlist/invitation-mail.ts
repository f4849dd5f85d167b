import { below } from '#shared/addresses.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { mailJob } from '#shared/domain/platform/outgoing-mail/job.ts';
import type { MailKind } from '#shared/domain/platform/outgoing-mail/mail.ts';
import type { Write } from '#shared/table/table.ts';
import { DAYS, inviteToSignUp } from './invite.ts';

/**
 * Invites an address to open an account. The token is made when the mail is written, so that no job holds it: of two
 * mails, the later one works.
 */
export const signupMail: MailKind<{ email_address: string }> = {
  name: 'signup_invitation',
  async write({ table, config, now }, { email_address }) {
    const issued = await inviteToSignUp(table, email_address, now);
    if (!issued) return undefined;
    const url = below(config.addresses.app, 'sign-up');
    return {
      to: email_address,
      subject: 'You are invited to open an account',
      parts: [
        { paragraph: 'You are invited to open an account with the address that this mail was sent to.' },
        // Behind "#", it stays in the browser.
        ...(url ? [{ link: { url: `${url}#signup_token=${issued.token}`, label: 'Open an account' } }] : []),
        { paragraph: 'Your signup token is:' },
        { code: issued.token },
        { paragraph: `It works once, within ${DAYS} days. An earlier one works no more.` },
        { paragraph: 'If you do not expect this, ignore the mail.' },
      ],
    };
  },
};

/** For who sends no messages: the sweep does, within a minute. */
export function inviteByMail(email_address: string, now: Date): Write {
  return enqueue({ ...mailJob(signupMail, { email_address }, now), due: now.getTime(), sends: 0 });
}
