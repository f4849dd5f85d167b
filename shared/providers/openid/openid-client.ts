import * as oidc from 'openid-client';
import type { AsksProviders, Identity } from '#shared/domain/identity/openid/provider.ts';
import { ApiError } from '#shared/errors.ts';
import { describeError, getLogger } from '#shared/log.ts';
import type { OpenIdClient, OpenIdConfig, OpenIdProvider } from '#shared/openid-clients.ts';
import { verifiedAddress } from './claims.ts';
import { authorizationUrl, type Granted, isRefusal, tokensFor } from './code-grant.ts';
import { configurationOf } from './discovery.ts';

function clientOf({ clients }: OpenIdConfig, provider: OpenIdProvider): OpenIdClient {
  const client = clients[provider];
  if (!client) throw new Error(`There is no client of ${provider}`);
  return client;
}

async function ask<T>(provider: OpenIdProvider, question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    getLogger().warn('a provider of OpenID Connect', { provider, error: describeError(error) });
    if (isRefusal(error)) throw new ApiError('invalid_credentials');
    throw new ApiError('provider_lookup_unavailable');
  }
}

/** The claims of the ID token, and of the provider's user info when that alone tells the address. */
async function claimsOf(config: oidc.Configuration, tokens: Granted): Promise<oidc.IDToken> {
  const claims = tokens.claims() as oidc.IDToken;
  if (claims.email !== undefined || !config.serverMetadata().userinfo_endpoint) return claims;
  const more = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
  return { ...more, ...claims };
}

/** The providers, over the network. */
export const openIdClient: AsksProviders = {
  authorizationUrl: ({ config }, provider, request) =>
    ask(provider, async () => {
      const found = await configurationOf(clientOf(config.openid, provider));
      return authorizationUrl(found, { ...request, scope: 'openid email profile' });
    }),

  identify: ({ config }, provider, response) =>
    ask(provider, async () => {
      const found = await configurationOf(clientOf(config.openid, provider));
      const tokens = await tokensFor(found, response);
      const claims = await claimsOf(found, tokens);
      const email_address = verifiedAddress(provider, claims);
      const identity: Identity = { issuer: claims.iss, subject: claims.sub };
      if (email_address !== undefined) identity.email_address = email_address;
      if (typeof claims.name === 'string') identity.name = claims.name;
      return identity;
    }),
};
