import * as oidc from 'openid-client';
import type { Consent, MailConsents, Tokens } from '#shared/domain/mail/consent/provider.ts';
import { ConsentRefused, ServerUnreachable } from '#shared/domain/mail/servers/failures.ts';
import { describeError, getLogger } from '#shared/log.ts';
import type { MailProvider, MailProvidersConfig } from '#shared/mail-providers.ts';
import type { OpenIdClient } from '#shared/openid-clients.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { mailboxOf } from './claims.ts';
import { authorizationUrl, tokensFor } from './code-grant.ts';
import { configurationOf } from './discovery.ts';

/** Google and Microsoft, as those who let the service into mailboxes. */

/** https://developers.google.com/identity/protocols/oauth2/web-server, https://learn.microsoft.com/entra/identity-platform/scopes-oidc */
const REQUESTS = {
  gmail: {
    scope: 'openid email https://mail.google.com/',
    // Without both, somebody who consented before gives no token that lasts.
    also: { access_type: 'offline', prompt: 'consent' },
  },
  outlook: {
    scope:
      'openid email profile offline_access https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send',
    also: { prompt: 'select_account' },
  },
} as const satisfies Record<MailProvider, { scope: string; also: Record<string, string> }>;

/** Seconds. */
const SOON = 60;
const LONGEST = 3_600;

/** What RFC 6749 and OpenID Connect (section 3.1.2.6) call a consent that is gone. */
const GONE = new Set(['invalid_grant', 'interaction_required', 'login_required', 'consent_required']);

function waitOf({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after'));
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, LONGEST) : SOON;
}

/** That of an error, also where the body was nothing of OAuth. */
function responseOf(error: unknown): Response | undefined {
  const { response, cause } = error as { response?: unknown; cause?: unknown };
  return [response, cause].find((each) => each instanceof Response);
}

/** Nothing that a provider says is passed on. */
function meaningOf(error: unknown, refused: boolean): Error {
  const response = responseOf(error);
  if (response && (response.status === 429 || response.status >= 500))
    return new TryLater(`The provider answers ${response.status}`, waitOf(response));
  if (refused) return new ConsentRefused('The provider refuses the consent');
  const { code } = error as { code?: string };
  if (error instanceof TypeError || code === 'OAUTH_TIMEOUT')
    return new ServerUnreachable('The provider cannot be reached');
  return new Error('The provider does not respond as it should');
}

const isGone = (error: unknown) => error instanceof oidc.ResponseBodyError && GONE.has(error.error);

async function ask<T>(
  provider: MailProvider,
  isRefused: (error: unknown) => boolean,
  question: () => Promise<T>,
): Promise<T> {
  try {
    return await question();
  } catch (error) {
    getLogger().warn('a provider of mailboxes', { provider, error: describeError(error) });
    throw meaningOf(error, isRefused(error));
  }
}

function clientOf(config: MailProvidersConfig, provider: MailProvider): OpenIdClient {
  const found = config[provider];
  if (!found) throw new Error(`There is no client of ${provider}`);
  return found.client;
}

const tokensOf = ({
  access_token,
  refresh_token,
  expires_in,
}: {
  access_token: string;
  refresh_token?: string;
  expires_in?: number;
}): Tokens => ({ access_token, refresh_token, seconds: expires_in });

/** Refused without a mailbox, and without a token that lasts. */
function consentOf(provider: MailProvider, tokens: Awaited<ReturnType<typeof tokensFor>>): Consent {
  const mailbox = mailboxOf(provider, tokens.claims() as oidc.IDToken);
  const { refresh_token } = tokens;
  if (!mailbox || !refresh_token) throw new ConsentRefused('The consent is to no mailbox, or does not last');
  return { ...tokensOf(tokens), ...mailbox, refresh_token };
}

/** What else cannot be read is no refusal: the provider may have a bad moment. */
const isNoConsent = (error: unknown) =>
  isGone(error) ||
  error instanceof ConsentRefused ||
  error instanceof oidc.AuthorizationResponseError ||
  (error instanceof oidc.ClientError && error.code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED');

/** ID tokens of a refreshed consent say nothing that is used. */
const unsigned = { signed: false };

export const mailConsentsAt = (config: MailProvidersConfig): MailConsents => ({
  authorizationUrl: (provider, { login_hint, ...request }) =>
    ask(provider, isGone, async () => {
      const { scope, also } = REQUESTS[provider];
      const found = await configurationOf(clientOf(config, provider));
      const hint = login_hint === undefined ? {} : { login_hint };
      return authorizationUrl(found, { ...request, scope, also: { ...also, ...hint } });
    }),

  exchange: (provider, response) =>
    ask(provider, isNoConsent, async () => {
      const found = await configurationOf(clientOf(config, provider));
      return consentOf(provider, await tokensFor(found, response));
    }),

  refresh: (provider, refresh_token) =>
    ask(provider, isGone, async () => {
      const found = await configurationOf(clientOf(config, provider), unsigned);
      return tokensOf(await oidc.refreshTokenGrant(found, refresh_token));
    }),

  revoke: (provider, refresh_token) =>
    ask(provider, isGone, async () => {
      const found = await configurationOf(clientOf(config, provider), unsigned);
      if (found.serverMetadata().revocation_endpoint) await oidc.tokenRevocation(found, refresh_token);
    }),
});
