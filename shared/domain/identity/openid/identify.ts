import type { Context } from '#shared/context.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import { ApiError } from '#shared/errors.ts';
import type { OpenIdProvider } from '#shared/openid-clients.ts';
import { missing, type Write } from '#shared/table/table.ts';
import type { Authorization } from './authorization.ts';
import type { AsksProviders, Identity } from './provider.ts';
import {
  type Brought,
  claimAuthorization,
  releaseAuthorization,
  rememberAnswer,
  useOf,
} from './stored-authorization.ts';

/** What a client brings back from a provider. */
export interface ByProvider extends Brought {
  provider: OpenIdProvider;
  iss?: string | undefined;
}

const refused = () => new ApiError('invalid_credentials');

/**
 * The authorization that the state names, claimed for this code, or claimed by it before and answered. A page of the
 * service can only end what the same browser began, so that nobody is signed in to the account of somebody else
 * (RFC 9700, section 4.7). 401 otherwise.
 */
async function claim(ctx: Context, sent: ByProvider, browser: string | undefined): Promise<Authorization> {
  const claimed = await claimAuthorization<Authorization>(
    ctx,
    sent,
    { provider: sent.provider, browser: browser === undefined ? missing : hashSecret(browser) },
    'identity',
  );
  if (!claimed) throw refused();
  return claimed;
}

/** A provider that did not respond may take the code another time. */
async function exchanged(
  ctx: Context<AsksProviders>,
  claimed: Authorization,
  { provider, ...response }: ByProvider,
): Promise<Identity> {
  const { redirect_url, nonce, code_verifier } = claimed;
  try {
    return await ctx.ports.identify(ctx, provider, { ...response, redirect_url, nonce, code_verifier });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'provider_lookup_unavailable')
      await releaseAuthorization(ctx.table, claimed);
    throw error;
  }
}

export interface Identified {
  identity: Identity;
  /** Ends the authorization, in the transaction of what it permits: exactly one does. */
  use: Write;
}

/**
 * Who comes with a code. It is exchanged once, and remembered until it is used or expires: what else is wrong with a
 * request does not send people to the provider again.
 */
export async function identify(
  ctx: Context<AsksProviders>,
  sent: ByProvider,
  browser: string | undefined,
): Promise<Identified> {
  const claimed = await claim(ctx, sent, browser);
  const identity = claimed.identity ?? (await exchanged(ctx, claimed, sent));
  if (!claimed.identity) await rememberAnswer<Authorization>(ctx.table, claimed, { identity }, refused);
  return { identity, use: useOf(claimed, refused) };
}
