import { below } from '#shared/addresses.ts';
import { callerFor } from '#shared/domain/identity/users/caller-for.ts';
import { momentFor } from '#shared/domain/identity/users/moment.ts';
import type { MailKind } from '#shared/domain/platform/outgoing-mail/mail.ts';
import type { Session } from './session.ts';

/** Tells a user that a session ended because its refresh token was used twice. */
export const theftMail: MailKind<Pick<Session, 'account_id' | 'user_id' | 'created_at' | 'user_agent'>> = {
  name: 'token_theft',
  async write({ table, config }, { account_id, user_id, created_at, user_agent }) {
    const caller = await callerFor(table, { account_id, user_id });
    if (!caller) return undefined;
    const { user } = caller;
    const url = below(config.addresses.app, 'sign-in');
    return {
      to: user.email_address,
      subject: 'We ended one of your sessions',
      parts: [
        {
          paragraph:
            'Something that only your browser or app has was used a second time, so somebody else may have copied it. ' +
            'We ended the session it belongs to: whoever used it is signed out.',
        },
        {
          list: [
            `Signed in: ${momentFor(user, created_at)}`,
            `Used last by: ${user_agent ?? 'an unknown program'}`,
          ],
        },
        {
          paragraph:
            'Sign in again to go on. If you were not surprised by a sign-out, look through your other sessions, and end those that you do not know.',
        },
        ...(url ? [{ link: { url, label: 'Sign in' } }] : []),
      ],
    };
  },
};
