import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import type { OpenIdClient } from '#shared/openid-clients.ts';

/** An issuer that says whatever a test wants, in the protocol of OpenID Connect. */

export interface ForgedIssuer {
  /** Takes the nonce of an authorization, as the page of an issuer does. */
  sees(url: string): void;
  client: OpenIdClient;
  /** Claims of the next ID token, besides right ones. */
  claims: JWTPayload & Record<string, unknown>;
  /** How the next ID token is signed. */
  signed: 'as published' | 'by a new key' | 'by another key' | 'with the secret' | 'not at all';
  /** What the token endpoint responds in place of tokens. */
  refusal: { status: number; body: string } | undefined;
  /** Does not respond at all. */
  silent: boolean;
  stop(): Promise<void>;
}

const SUPPORTED = {
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
};

export async function startForgedIssuer(): Promise<ForgedIssuer> {
  const [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const published = async ({ publicKey }: typeof own, kid: string) => ({
    ...(await exportJWK(publicKey)),
    ...{ kid, alg: 'RS256', use: 'sig' },
  });
  const [first, second] = [await published(own, 'one'), await published(other, 'two')];
  let nonce = '';

  async function idToken(): Promise<string> {
    const { client, signed, claims } = forged;
    const seconds = Math.floor(Date.now() / 1_000);
    const all = {
      ...{
        iss: client.issuer,
        aud: client.client_id,
        sub: 'mallory',
        nonce,
        iat: seconds,
        exp: seconds + 300,
      },
      ...claims,
    };
    if (signed === 'not at all') return new UnsecuredJWT(all).encode();
    if (signed === 'with the secret')
      return new SignJWT(all)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(client.client_secret.padEnd(32, '.')));
    const key = signed === 'as published' ? own.privateKey : other.privateKey;
    const kid = signed === 'by a new key' ? 'two' : 'one';
    return new SignJWT(all).setProtectedHeader({ alg: 'RS256', kid }).sign(key);
  }

  async function respond(path: string): Promise<{ status: number; body: string }> {
    const { issuer } = forged.client;
    if (path === '/.well-known/openid-configuration') {
      const places = {
        ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
        jwks_uri: `${issuer}/jwks`,
      };
      return { status: 200, body: JSON.stringify({ ...places, ...SUPPORTED }) };
    }
    const keys = forged.signed === 'by a new key' ? [second] : [first];
    if (path === '/jwks') return { status: 200, body: JSON.stringify({ keys }) };
    if (forged.refusal) return forged.refusal;
    const tokens = { access_token: 'x', token_type: 'Bearer', id_token: await idToken() };
    return { status: 200, body: JSON.stringify(tokens) };
  }

  const server = createServer((request, response) => {
    if (forged.silent) return request.socket.destroy();
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    void respond(url.pathname).then(({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Benches do not stop it.
  server.unref();
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const forged: ForgedIssuer = {
    client: { issuer, client_id: 'workspace', client_secret: 'secret-of-the-workspace' },
    claims: {},
    signed: 'as published',
    refusal: undefined,
    silent: false,
    sees: (url) => {
      nonce = new URL(url).searchParams.get('nonce') ?? '';
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return forged;
}
