import * as oidc from 'openid-client';
import { isLoopback } from '#shared/loopback.ts';
import type { OpenIdClient } from '#shared/openid-clients.ts';

/** Where the parts of a provider are, and how the service proves to it which client it is. */

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

interface How {
  /** Checks the signatures of ID tokens as well, not only who sent them over TLS. */
  signed?: boolean;
}

async function discover(
  { issuer, client_id, client_secret }: OpenIdClient,
  { signed = true }: How,
): Promise<oidc.Configuration> {
  const server = new URL(issuer);
  const found = await oidc.discovery(
    server,
    client_id,
    { [oidc.clockTolerance]: CLOCK_SKEW },
    withSecret(client_secret),
    { timeout: TIMEOUT, execute: isLoopback(server) ? [oidc.allowInsecureRequests] : [] },
  );
  if (signed) oidc.enableNonRepudiationChecks(found);
  return found;
}

/** While an environment is warm, a provider is asked once where its parts are. */
const discovered = new Map<string, Promise<oidc.Configuration>>();

export function configurationOf(client: OpenIdClient, how: How = {}): Promise<oidc.Configuration> {
  const name = JSON.stringify([client, how]);
  const known = discovered.get(name);
  if (known) return known;
  const found = discover(client, how);
  discovered.set(name, found);
  found.catch(() => discovered.delete(name));
  return found;
}
