import * as oidc from 'openid-client';
import type { AsksProviders, Identity } from '#shared/domain/identity/openid/provider.ts';
import { ApiError } from '#shared/errors.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { isLoopback } from '#shared/loopback.ts';
import type { OpenIdClient, OpenIdConfig, OpenIdProvider } from '#shared/openid-clients.ts';
import { verifiedAddress } from './claims.ts';

/** Seconds for each request: the gateway waits 29. */
const TIMEOUT = 7;
/** Seconds that the clocks of provider and service may differ. */
const CLOCK_SKEW = 60;

/** Basic is what every provider has that names no others (OpenID Connect Discovery, section 3). */
const withSecret =
  (secret: string): oidc.ClientAuth =>
  (server, ...request) => {
    const { token_endpoint_auth_methods_supported: known = ['client_secret_basic'] } = server;
    const method = known.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost;
    method(secret)(server, ...request);
  };

async function discover({ issuer, client_id, client_secret }: OpenIdClient): Promise<oidc.Configuration> {
  const server = new URL(issuer);
  const found = await oidc.discovery(
    server,
    client_id,
    { [oidc.clockTolerance]: CLOCK_SKEW },
    withSecret(client_secret),
    { timeout: TIMEOUT, execute: isLoopback(server) ? [oidc.allowInsecureRequests] : [] },
  );
  // The signature is checked as well, not only who sent the token over TLS.
  oidc.enableNonRepudiationChecks(found);
  return found;
}

/** While an environment is warm, a provider is asked once where its parts are. */
const discovered = new Map<string, Promise<oidc.Configuration>>();

function configurationOf(config: OpenIdConfig, provider: OpenIdProvider): Promise<oidc.Configuration> {
  const client = config.clients[provider];
  if (!client) throw new Error(`There is no client of ${provider}`);
  const name = JSON.stringify(client);
  const known = discovered.get(name);
  if (known) return known;
  const found = discover(client);
  discovered.set(name, found);
  found.catch(() => discovered.delete(name));
  return found;
}

/** A code or a token that does not hold, and not a provider that does not respond as it should. */
function isRefusal(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.error === 'invalid_grant';
  if (error instanceof oidc.AuthorizationResponseError) return true;
  return error instanceof oidc.ClientError && REFUSED.has(error.code ?? '');
}

/** https://github.com/panva/openid-client/blob/main/docs/classes/ClientError.md */
const REFUSED = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
]);

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
async function claimsOf(
  config: oidc.Configuration,
  tokens: Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>,
): Promise<oidc.IDToken> {
  const claims = tokens.claims() as oidc.IDToken;
  if (claims.email !== undefined || !config.serverMetadata().userinfo_endpoint) return claims;
  const more = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
  return { ...more, ...claims };
}

/** The providers, over the network. */
export const openIdClient: AsksProviders = {
  authorizationUrl: ({ config }, provider, { redirect_url, state, nonce, code_verifier }) =>
    ask(provider, async () => {
      const found = await configurationOf(config.openid, provider);
      const code_challenge = await oidc.calculatePKCECodeChallenge(code_verifier);
      const scope = 'openid email profile';
      const challenge = { code_challenge, code_challenge_method: 'S256' };
      const request = { redirect_uri: redirect_url, scope, state, nonce, ...challenge };
      return oidc.buildAuthorizationUrl(found, request).href;
    }),

  identify: ({ config }, provider, { redirect_url, authorization_code, state, nonce, code_verifier, iss }) =>
    ask(provider, async () => {
      const found = await configurationOf(config.openid, provider);
      const { issuer, authorization_response_iss_parameter_supported: named } = found.serverMetadata();
      const url = new URL(redirect_url);
      url.searchParams.set('code', authorization_code);
      url.searchParams.set('state', state);
      // A client that does not pass it on names the provider, and the state is that provider's.
      if (named || iss !== undefined) url.searchParams.set('iss', iss ?? issuer);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: code_verifier };
      const tokens = await oidc.authorizationCodeGrant(
        found,
        url,
        { ...checks, idTokenExpected: true },
        { redirect_uri: redirect_url },
      );
      const claims = await claimsOf(found, tokens);
      const email_address = verifiedAddress(provider, claims);
      const identity: Identity = { issuer: claims.iss, subject: claims.sub };
      if (email_address !== undefined) identity.email_address = email_address;
      if (typeof claims.name === 'string') identity.name = claims.name;
      return identity;
    }),
};
