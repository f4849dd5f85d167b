import * as z from 'zod';
import { oneTimeCode } from '#shared/domain/identity/codes/code.ts';
import type { ByProvider } from '#shared/domain/identity/openid/identify.ts';
import { providerNamed } from '#shared/domain/identity/openid/named.ts';
import { authorizationCode, authorizationState } from '#shared/domain/identity/openid/sent.ts';
import { invalidField } from '#shared/errors.ts';
import { requireAll } from '#shared/fields.ts';
import type { OpenIdConfig } from '#shared/openid-clients.ts';
import { emailAddress, requiredText, uuid } from '#shared/values.ts';
import type { ByCode } from './by-code.ts';

/** What proves who somebody is: a code, or what a provider sent back. */
export const proofFields = {
  one_time_code: oneTimeCode.optional(),
  provider: requiredText(50).meta({ example: 'google' }).optional(),
  authorization_code: authorizationCode.optional(),
  state: authorizationState.optional(),
  iss: authorizationState.optional(),
};

export const tokenDelivery = z.enum(['cookie', 'body']).default('cookie');

/** What POST /sessions takes: one of the ways to sign in (docs/specification/sign-in.md, "Signing in"). */
export const sessionDraft = z.object({
  email_address: emailAddress.optional(),
  ...proofFields,
  password: requiredText(1_000).optional(),
  account_id: uuid.optional(),
  token_delivery: tokenDelivery,
});

type Sent = Omit<z.output<typeof sessionDraft>, 'token_delivery' | 'account_id'>;

/** The way that a request names. 400 for those that the service does not have, and for what is missing. */
export function wayOf(sent: Sent, config: OpenIdConfig): ByCode | ByProvider {
  if (sent.provider !== undefined) {
    const provider = providerNamed(sent.provider, config);
    const { authorization_code, state } = requireAll(sent, ['authorization_code', 'state']);
    return { provider, authorization_code, state, iss: sent.iss };
  }
  if (sent.password !== undefined) throw invalidField('password', 'not_allowed', 'does not sign in here');
  const { email_address, one_time_code } = requireAll(sent, ['email_address', 'one_time_code']);
  return { email_address, one_time_code };
}
