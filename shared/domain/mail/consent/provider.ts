import type { Config } from '#shared/config.ts';
import type { AuthorizationRequest, AuthorizationResponse } from '#shared/domain/identity/openid/provider.ts';
import type { MailProvider } from '#shared/mail-providers.ts';

/** The port to the providers that let the service into mailboxes. */

/** What the service signs in with (RFC 6749, section 5.1). */
export interface Tokens {
  access_token: string;
  /** Undefined where the one before stays. */
  refresh_token: string | undefined;
  /** Of the access token; undefined where the provider does not say. */
  seconds: number | undefined;
}

/** What somebody has let the service into. */
export interface Consent extends Tokens {
  refresh_token: string;
  /** Of the mailbox, in lower case, as the provider says. */
  email_address: string;
  /** As its servers know it. */
  username: string;
}

export interface MailAuthorizationRequest extends AuthorizationRequest {
  /** The address that is likely meant. */
  login_hint: string | undefined;
}

/**
 * Throws ConsentRefused where the provider says that nobody consents to it, and for what does not hold; TryLater and
 * ServerUnreachable, or any other error, where it does not respond as it should.
 */
export interface MailConsents {
  /** Where somebody lets the service in. */
  authorizationUrl(provider: MailProvider, request: MailAuthorizationRequest): Promise<string>;
  exchange(provider: MailProvider, response: AuthorizationResponse): Promise<Consent>;
  refresh(provider: MailProvider, refresh_token: string): Promise<Tokens>;
  /** Nothing at providers that cannot. */
  revoke(provider: MailProvider, refresh_token: string): Promise<void>;
}

export interface AsksMailProviders {
  mail_consents: (config: Pick<Config, 'mail_providers'>) => MailConsents;
}
