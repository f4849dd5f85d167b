import * as oidc from 'openid-client';
import type { AuthorizationRequest, AuthorizationResponse } from '#shared/domain/identity/openid/provider.ts';

/** The authorization code grant with PKCE, nonce and state (RFC 9700, section 2.1.1). */

export type Granted = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>;

interface Asked extends AuthorizationRequest {
  scope: string;
  /** What only this provider knows. */
  also?: Record<string, string>;
}

export async function authorizationUrl(
  found: oidc.Configuration,
  { redirect_url, scope, state, nonce, code_verifier, also }: Asked,
): Promise<string> {
  const code_challenge = await oidc.calculatePKCECodeChallenge(code_verifier);
  const challenge = { code_challenge, code_challenge_method: 'S256' };
  const request = { redirect_uri: redirect_url, scope, state, nonce, ...challenge, ...also };
  return oidc.buildAuthorizationUrl(found, request).href;
}

/** For the code that came back. */
export function tokensFor(
  found: oidc.Configuration,
  { redirect_url, authorization_code, state, nonce, code_verifier, iss }: AuthorizationResponse,
): Promise<Granted> {
  const { issuer, authorization_response_iss_parameter_supported: named } = found.serverMetadata();
  const url = new URL(redirect_url);
  url.searchParams.set('code', authorization_code);
  url.searchParams.set('state', state);
  // A client that does not pass it on names the provider, and the state is that provider's.
  if (named || iss !== undefined) url.searchParams.set('iss', iss ?? issuer);
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: code_verifier };
  return oidc.authorizationCodeGrant(
    found,
    url,
    { ...checks, idTokenExpected: true },
    { redirect_uri: redirect_url },
  );
}

/** https://github.com/panva/openid-client/blob/main/docs/classes/ClientError.md */
const REFUSED = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
]);

/** A code or a token that does not hold, and not a provider that does not respond as it should. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.error === 'invalid_grant';
  if (error instanceof oidc.AuthorizationResponseError) return true;
  return error instanceof oidc.ClientError && REFUSED.has(error.code ?? '');
}
