import type { Context } from '#shared/context.ts';
import type { OpenIdProvider } from '#shared/openid-clients.ts';

/** What the service alone knows of an authorization, and the provider proves to have seen (RFC 7636, OpenID Connect). */
export type Proofs = {
  nonce: string;
  code_verifier: string;
};

/** Who somebody is at a provider. */
export type Identity = {
  issuer: string;
  /** Unique at the issuer, and never given to somebody else. */
  subject: string;
  /** In lower case; undefined unless the provider has verified it. */
  email_address?: string;
  name?: string;
};

export interface AuthorizationRequest extends Proofs {
  redirect_url: string;
  state: string;
}

export interface AuthorizationResponse extends AuthorizationRequest {
  authorization_code: string;
  /** The issuer that the response names (RFC 9207), where the client passed it on. */
  iss?: string | undefined;
}

/**
 * Port: the providers of the deployment. Throws 503 `provider_lookup_unavailable` when one does not respond as it should.
 */
export interface AsksProviders {
  /** Where somebody authorizes the service to know who they are. */
  authorizationUrl(ctx: Context, provider: OpenIdProvider, request: AuthorizationRequest): Promise<string>;
  /** Who it was. 401 `invalid_credentials` for a code or a token that does not hold. */
  identify(ctx: Context, provider: OpenIdProvider, response: AuthorizationResponse): Promise<Identity>;
}
