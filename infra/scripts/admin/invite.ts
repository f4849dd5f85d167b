import { DAYS, inviteToSignUp } from '#shared/domain/identity/waitlist/invite.ts';
import { Misuse } from '../../cli/options.ts';
import { command } from './command.ts';
import { address } from './values.ts';

export const invite = command({
  summary: 'Invites an address to open an account, and prints its signup token.',
  options: {
    email: { placeholder: '<address>', about: 'of who is invited, on the waitlist or not', schema: address },
  },
  async run({ email }, table, now) {
    const issued = await inviteToSignUp(table, email, now);
    if (!issued) throw new Misuse(`${email} was invited and has joined.`);
    const { token, expires_at } = issued;
    return {
      json: { email_address: email, signup_token: token, expires_at: expires_at.toISOString() },
      result: token,
      told: [
        `A signup token for ${email}, for ${DAYS} days; it is shown this once, and an earlier one works no more:`,
      ],
    };
  },
});
