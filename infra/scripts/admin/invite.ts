import * as z from 'zod';
import { inviteByMail } from '#shared/domain/identity/waitlist/invitation-mail.ts';
import { DAYS, hasJoined, inviteToSignUp } from '#shared/domain/identity/waitlist/invite.ts';
import type { Waitlistee } from '#shared/domain/identity/waitlist/waitlistee.ts';
import { keys } from '#shared/table/keys.ts';
import { Misuse } from '../../cli/options.ts';
import { command } from './command.ts';
import { address } from './values.ts';

const joined = (email: string) => new Misuse(`${email} was invited and has joined.`);

export const invite = command({
  summary: 'Invites an address to open an account: prints its signup token, or mails it.',
  options: {
    email: { placeholder: '<address>', about: 'of who is invited, on the waitlist or not', schema: address },
    mail: {
      about: 'mails the token in place of printing it; for a service that sends mail',
      schema: z.boolean().default(false),
    },
  },
  async run({ email, mail }, table, now) {
    if (mail) {
      const found = await table.get<Waitlistee>(keys.waitlistee(email));
      if (found && (await hasJoined(table, found))) throw joined(email);
      await table.transact([inviteByMail(email, now)]);
      return {
        json: { email_address: email },
        told: [`An invitation is mailed to ${email} within a minute.`],
      };
    }
    const issued = await inviteToSignUp(table, email, now);
    if (!issued) throw joined(email);
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
