import type { CallerContext } from '#shared/domain/identity/caller.ts';
import {
  type Brought,
  claimAuthorization,
  releaseAuthorization,
  rememberAnswer,
  useOf,
} from '#shared/domain/identity/openid/stored-authorization.ts';
import { ConsentRefused } from '#shared/domain/mail/servers/failures.ts';
import { limitAttempts } from '#shared/domain/mail/servers/limit.ts';
import { open, seal } from '#shared/domain/platform/secrets/seal.ts';
import { sealingKeys } from '#shared/domain/platform/secrets/sealing-keys.ts';
import { invalidField } from '#shared/errors.ts';
import type { MailProvider } from '#shared/mail-providers.ts';
import { asRead, type Write } from '#shared/table/table.ts';
import { askProvider, requireConfigured } from './ask.ts';
import type { MailAuthorization } from './authorization.ts';
import type { AsksMailProviders, Consent } from './provider.ts';

/** The consent that somebody brings back from a provider. */

export interface BroughtConsent extends Brought {
  /** The issuer that the response names (RFC 9207), where the client passed it on. */
  iss?: string | undefined;
}

export interface Consented {
  consent: Consent;
  /** Ends the authorization, in the transaction of what it permits. */
  use: Write;
}

const refused = () =>
  invalidField(
    'state',
    'invalid',
    'names no authorization that waits: begin with POST /mailboxes/authorizations',
  );

/** It opens for this authorization alone. */
const placeOf = ({ PK }: MailAuthorization) => `consent of ${PK}`;

type Ctx = CallerContext<AsksMailProviders>;

async function exchanged(
  ctx: Ctx,
  claimed: MailAuthorization,
  { iss, ...sent }: BroughtConsent,
): Promise<Consent> {
  const { provider, redirect_url, nonce, code_verifier } = claimed;
  const response = { ...sent, iss, redirect_url, nonce, code_verifier };
  try {
    return await askProvider(ctx, (consents) => consents.exchange(provider, response));
  } catch (error) {
    if (error instanceof ConsentRefused)
      throw invalidField('authorization_code', 'invalid', 'is refused by the provider: begin again');
    // The provider may take the code another time.
    await releaseAuthorization(ctx.table, claimed);
    throw error;
  }
}

/**
 * What the caller has consented to, for a new mailbox or for the one with this id. The code is exchanged once, and what it
 * gave is remembered until it is used or expires. 400 for a state or a code that does not hold, 429
 * `rate_limited`.
 */
export async function consentOf(
  ctx: Ctx,
  { provider, ...sent }: BroughtConsent & { provider: MailProvider },
  mailbox_id?: string,
): Promise<Consented> {
  requireConfigured(ctx, provider);
  await limitAttempts(ctx);
  const { user, account } = ctx.caller;
  const fits = { provider, user_id: user.id, account_id: account.id, mailbox_id: asRead(mailbox_id) };
  const claimed = await claimAuthorization<MailAuthorization>(ctx, sent, fits, 'consent');
  if (!claimed) throw refused();
  const { mailbox_keys } = await sealingKeys(ctx);
  const known = claimed.consent && open(mailbox_keys, claimed.consent, placeOf(claimed));
  const consent: Consent = known ? JSON.parse(known) : await exchanged(ctx, claimed, sent);
  if (!known) {
    const sealed = seal(mailbox_keys, JSON.stringify(consent), placeOf(claimed));
    await rememberAnswer<MailAuthorization>(ctx.table, claimed, { consent: sealed }, refused);
  }
  return { consent, use: useOf(claimed, refused) };
}
