import { readMailProviders } from '#shared/mail-providers.ts';
import type { Deployment, Kind } from './kind.ts';
import { openid } from './openid.ts';
import { sealing } from './sealing.ts';
import { givenVariables, shownVariables } from './variables.ts';

/** Providers of mailboxes by OAuth: the service's name at each, the secret that they share, and the key of tokens. */

const settings = {
  gmailClientId: 'the client id of the service at Google, for mailboxes',
  gmailSecret: 'the secret with its client secret',
  outlookClientId: 'the client id of the service at Microsoft, for mailboxes',
  outlookSecret: 'the secret with its client secret',
  outlookIssuer: 'the address of one tenant of Microsoft, in place of all',
};

/** Variables by the settings that they come from; `redirectUrls` is one of signing in. */
const VARIABLES = {
  GMAIL_CLIENT_ID: 'gmailClientId',
  GMAIL_CLIENT_SECRET: 'gmailSecret',
  OUTLOOK_CLIENT_ID: 'outlookClientId',
  OUTLOOK_CLIENT_SECRET: 'outlookSecret',
  OUTLOOK_ISSUER: 'outlookIssuer',
  REDIRECT_URLS: 'redirectUrls',
} as const satisfies Record<string, keyof typeof settings | keyof typeof openid.settings>;

/** The variables with the settings they come from. Throws for a provider of which something is missing. */
export function readMailProviderSettings(setting: Deployment['setting']) {
  const given = givenVariables(VARIABLES, setting);
  readMailProviders(Object.fromEntries(given));
  return given;
}

export const mail_providers = {
  ...sealing,
  variables: (modes, deployment) => ({
    ...sealing.variables(modes, deployment),
    ...shownVariables(readMailProviderSettings(deployment.setting), deployment.secret),
  }),
  settings,
  local: Object.keys(VARIABLES) as readonly string[],
  libraries: { ...openid.libraries, ...sealing.libraries },
} as const satisfies Kind;
