import { readOpenId } from '#shared/openid-clients.ts';
import type { Deployment, Kind } from './kind.ts';
import { givenVariables, shownVariables } from './variables.ts';

/** Providers of OpenID Connect: the service's name at each, and the secret that it shares with them. */

const settings = {
  googleClientId: 'the client id of the service at Google, to sign in with',
  googleSecret: 'the secret with its client secret',
  microsoftClientId: 'the client id of the service at Microsoft, to sign in with',
  microsoftSecret: 'the secret with its client secret',
  oidcIssuer: 'the address of another provider of OpenID Connect',
  oidcClientId: 'the client id of the service there',
  oidcSecret: 'the secret with its client secret',
  redirectUrls: 'addresses, with commas, to which providers may send browsers back',
};

/** Variables by the settings that they come from. */
const VARIABLES = {
  GOOGLE_CLIENT_ID: 'googleClientId',
  GOOGLE_CLIENT_SECRET: 'googleSecret',
  MICROSOFT_CLIENT_ID: 'microsoftClientId',
  MICROSOFT_CLIENT_SECRET: 'microsoftSecret',
  OIDC_ISSUER: 'oidcIssuer',
  OIDC_CLIENT_ID: 'oidcClientId',
  OIDC_CLIENT_SECRET: 'oidcSecret',
  REDIRECT_URLS: 'redirectUrls',
} as const satisfies Record<string, keyof typeof settings>;

/** The variables with the settings they come from. Throws for a provider of which something is missing. */
export function readOpenIdSettings(setting: Deployment['setting']) {
  const given = givenVariables(VARIABLES, setting);
  readOpenId(Object.fromEntries(given));
  return given;
}

export const openid = {
  variables: (_, { setting, secret }) => shownVariables(readOpenIdSettings(setting), secret),
  settings,
  local: Object.keys(VARIABLES) as readonly string[],
  libraries: {
    'openid-client': { bytes: 20_000, reason: 'signs in by providers of OpenID Connect' },
    oauth4webapi: { bytes: 40_000, reason: 'speaks with them' },
  },
} as const satisfies Kind;
