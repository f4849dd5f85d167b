import { isLoopback } from './loopback.ts';

/** The providers of OpenID Connect by which people sign in to a deployment (docs/decisions/0066-openid-connect.md). */

export const openIdProviders = ['google', 'microsoft', 'oidc'] as const;

/** `oidc` is any issuer. */
export type OpenIdProvider = (typeof openIdProviders)[number];

/** What the provider knows the service by. */
export interface OpenIdClient {
  issuer: string;
  client_id: string;
  client_secret: string;
}

export interface OpenIdConfig {
  clients: Partial<Record<OpenIdProvider, OpenIdClient>>;
  /** Where providers may send browsers back to, besides the pages of the service. */
  redirect_urls: string[];
}

/** The issuers that everybody shares; of Microsoft the one for all of its tenants. */
export const ISSUERS = {
  google: 'https://accounts.google.com',
  microsoft: 'https://login.microsoftonline.com/common/v2.0',
};

/** https, or http on this machine. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)));
}

/** Undefined when nothing is set. Without an issuer, its variable names one. Throws when something is missing. */
export function readClient(
  env: NodeJS.ProcessEnv,
  name: string,
  issuer: string | undefined,
): OpenIdClient | undefined {
  const client_id = env[`${name}_CLIENT_ID`];
  const client_secret = env[`${name}_CLIENT_SECRET`];
  const own = issuer === undefined ? env[`${name}_ISSUER`] : undefined;
  if (!client_id && !client_secret && !own) return undefined;
  const found = issuer ?? own;
  if (!client_id || !client_secret || !found) {
    const needed = [...(issuer === undefined ? ['ISSUER'] : []), 'CLIENT_ID', 'CLIENT_SECRET'];
    throw new Error(`${needed.map((each) => `${name}_${each}`).join(', ')} go together: one is missing.`);
  }
  if (!isIssuer(found)) throw new Error(`${name}_ISSUER must be an https address, not "${found}".`);
  return { issuer: found, client_id, client_secret };
}

function readRedirects(text: string | undefined): string[] {
  const urls = (text ?? '').split(',').filter((each) => each !== '');
  const wrong = urls.find((each) => URL.parse(each) === null || each.includes('#'));
  if (wrong !== undefined) throw new Error(`REDIRECT_URLS must be addresses without #, not "${wrong}".`);
  return urls;
}

/** Throws for a provider of which something is missing. */
export function readOpenId(env: NodeJS.ProcessEnv): OpenIdConfig {
  const all = {
    google: readClient(env, 'GOOGLE', ISSUERS.google),
    microsoft: readClient(env, 'MICROSOFT', ISSUERS.microsoft),
    oidc: readClient(env, 'OIDC', undefined),
  };
  const clients = Object.fromEntries(Object.entries(all).filter(([, client]) => client !== undefined));
  return { clients, redirect_urls: readRedirects(env.REDIRECT_URLS) };
}
