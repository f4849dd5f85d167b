import * as z from 'zod';
import { oneTimeCode } from '#shared/domain/identity/codes/code.ts';
import { ApiError, invalidField } from '#shared/errors.ts';
import { Fields } from '#shared/fields.ts';
import { emailAddress, requiredText } from '#shared/values.ts';

/** What POST /sessions takes: one of the ways to sign in (docs/specification/sign-in.md, "Signing in"). */
export const sessionDraft = z.object({
  email_address: emailAddress.optional(),
  one_time_code: oneTimeCode.optional(),
  provider: requiredText(50).meta({ example: 'google' }).optional(),
  authorization_code: requiredText(2_000).optional(),
  state: requiredText(2_000).optional(),
  password: requiredText(1_000).optional(),
  token_delivery: z.enum(['cookie', 'body']).default('cookie'),
});

type Sent = z.output<typeof sessionDraft>;

export interface ByCode {
  email_address: string;
  one_time_code: string;
}

/** The way that a request names. 400 for those that the service does not have, and for what is missing. */
export function wayOf({ provider, password, email_address, one_time_code }: Sent): ByCode {
  if (provider !== undefined) throw new ApiError('unsupported_provider');
  if (password !== undefined) throw invalidField('password', 'not_allowed', 'does not sign in here');
  const fields = new Fields();
  if (email_address === undefined) fields.add('email_address', 'required', 'is required');
  if (one_time_code === undefined) fields.add('one_time_code', 'required', 'is required');
  fields.throwIfAny();
  return { email_address: email_address as string, one_time_code: one_time_code as string };
}
