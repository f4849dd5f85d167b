import * as z from 'zod';
import { addApiKey } from '#shared/domain/identity/credentials/create.ts';
import { requireIssuable } from '#shared/domain/identity/credentials/policy.ts';
import { issueSession } from '#shared/domain/identity/sessions/issue.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { invalidField } from '#shared/errors.ts';
import { moment, readMoment } from '#shared/moments.ts';
import { Misuse } from '../../cli/options.ts';
import { command } from './command.ts';
import { findAccount, findUser } from './find.ts';
import { account, name, oneOf, user } from './values.ts';

const isMoment = (text: string) => moment.safeParse(text).success;

/** Throws unless it is in the future. */
function expiryOf(sent: string | undefined, { time_zone }: User, now: Date): Date | null {
  if (sent === undefined) return null;
  const expires_at = readMoment(sent, time_zone);
  if (expires_at <= now) throw invalidField('expires', 'invalid', 'must be in the future');
  return expires_at;
}

export const issueKey = command({
  summary: 'Issues an API key for a user, or a session token, and prints it.',
  options: {
    account,
    user: { ...user, about: 'whose key it is: it may do what the user may' },
    name: {
      placeholder: '<name>',
      about: 'of the key, for example CRM export (default Key)',
      schema: name.default('Key'),
    },
    tier: {
      placeholder: '<tier>',
      about: 'read or read_write (default)',
      schema: oneOf(['read', 'read_write']).default('read_write'),
    },
    expires: {
      placeholder: '<day or moment>',
      about: 'for example 2030-01-31 (default never)',
      schema: z
        .string()
        .refine(isMoment, { error: 'must be a day or a moment such as 2030-01-31' })
        .optional(),
    },
    session: {
      about: 'a session instead: its token is for operations that accept no API key',
      schema: z.boolean().default(false),
    },
  },
  async run(given, table, now) {
    const found = await findAccount(table, given.account);
    const owner = await findUser(table, found.id, given.user);
    if (owner.status !== 'active') throw new Misuse(`${owner.name} is ${owner.status}: no key would work`);
    const { tier, session } = given;
    const draft = {
      account_id: found.id,
      user_id: owner.id,
      tier,
      expires_at: expiryOf(given.expires, owner, now),
    };
    const belongs = { account_id: found.id, user_id: owner.id };
    if (session) {
      const { session: issued, secret } = await issueSession(table, owner, draft.expires_at, now);
      return {
        json: { ...belongs, session_id: issued.id, secret },
        result: secret,
        told: [`A session of ${owner.name}; it is shown this once:`],
      };
    }
    requireIssuable({ account: found }, tier);
    const { row, secret } = await addApiKey(table, { ...draft, name: given.name }, now);
    return {
      json: { ...belongs, api_key_id: row.id, secret },
      result: secret,
      told: [`A ${tier} key of ${owner.name}, id ${row.id}; it is shown this once:`],
    };
  },
});
