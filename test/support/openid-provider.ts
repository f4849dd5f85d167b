import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';
import type { OpenIdClient } from '#shared/openid-clients.ts';

/** A real provider of OpenID Connect, whose people agree to everything. */

export const REDIRECT = 'https://app.acme.example/signed-in';

export interface Person {
  email: string;
  email_verified?: boolean;
  name?: string;
}

export interface TestProvider {
  client: OpenIdClient;
  /** By their subject. */
  people: Record<string, Person>;
  /** Goes through the provider's pages as this person, and returns what comes back to the redirect address. */
  authorize(url: string, subject: string): Promise<{ code: string; state: string; iss: string }>;
  stop(): Promise<void>;
}

/** Everybody has agreed before, so only who it is remains to be said. */
const agreed: Configuration['loadExistingGrant'] = async ({ oidc }) => {
  const { provider, client, session } = oidc;
  const ids = { clientId: client?.clientId as string, accountId: session?.accountId as string };
  const grant = new (provider as Provider).Grant(ids);
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
};

const listening = (server: Server) =>
  new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );

/** Cookies by their names, as a browser keeps them; paths do not matter here. */
function keep(jar: Map<string, string>, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    jar.set(name, value);
  }
}

export async function startProvider(): Promise<TestProvider> {
  const people: Record<string, Person> = {};
  let handle: ReturnType<Provider['callback']> | undefined;
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    const asks = /^\/interaction\/[^?]*/.test(request.url ?? '');
    if (!asks) return void handle?.(request, response);
    const accountId = request.headers['x-person'] as string;
    void provider?.interactionFinished(request, response, { login: { accountId } });
  });
  const issuer = `http://127.0.0.1:${await listening(server)}`;
  const client: OpenIdClient = { issuer, client_id: 'workspace', client_secret: 'secret-of-the-workspace' };
  provider = new Provider(issuer, {
    clients: [
      { client_id: client.client_id, client_secret: client.client_secret, redirect_uris: [REDIRECT] },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: agreed,
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
  });
  handle = provider.callback();
  return {
    client,
    people,
    authorize: async (url, subject) => {
      const jar = new Map<string, string>();
      for (let at = url; ; ) {
        const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
        const response = await fetch(at, { redirect: 'manual', headers: { cookie, 'x-person': subject } });
        keep(jar, response.headers);
        const location = response.headers.get('location');
        if (location === null)
          throw new Error(`The provider says ${response.status}: ${await response.text()}`);
        const next = new URL(location, at);
        if (next.href.startsWith(REDIRECT)) return Object.fromEntries(next.searchParams) as never;
        at = next.href;
      }
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
