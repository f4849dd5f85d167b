import type { Context } from '#shared/context.ts';
import { isKnown } from '#shared/domain/identity/users/addresses.ts';
import { isInvited } from '#shared/domain/identity/waitlist/accept.ts';
import type { MailKind } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { LIFETIME, type Stated } from './code.ts';
import { issueCode } from './issue.ts';

const MINUTES = LIFETIME / 60_000;

/**
 * Where not everybody may sign up, a code is of use to users, also invited ones, and to people who are invited to sign up unless
 * nobody may.
 */
async function isOfUse({ table, config: { sign_up }, now }: Context, address: string): Promise<boolean> {
  if (sign_up === 'open' || (await isKnown(table, address))) return true;
  return sign_up === 'invitation' && isInvited(table, address, now);
}

/** The mail with a one-time code. */
export const codeMail: MailKind<Omit<Stated, 'code'>> = {
  name: 'one_time_code',
  async write(ctx, wanted) {
    const code = (await isOfUse(ctx, wanted.email_address)) ? await issueCode(ctx, wanted) : undefined;
    if (code === undefined) return undefined;
    return {
      to: wanted.email_address,
      subject: 'Your sign-in code',
      parts: [
        { paragraph: 'Your code to sign in is:' },
        { code },
        { paragraph: `It works once, within ${MINUTES} minutes.` },
        {
          paragraph:
            'If you did not ask for it, ignore this mail: nobody signs in without the code. Do not tell it to anyone.',
        },
      ],
    };
  },
};
