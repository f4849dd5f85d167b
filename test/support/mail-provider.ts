import { hash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { SMTPServerOptions } from 'smtp-server';
import type { MailProvider, MailProviderConfig } from '#shared/mail-providers.ts';
import type { Services } from '#shared/services.ts';
import { ImapServer } from './imap-server.ts';
import { reply, type SmtpSink, startSmtpSink } from './smtp-sink.ts';

/** A provider of mailboxes by OAuth 2.0, with its servers: both take access tokens that it gave, and nothing else. */

export const REDIRECT = 'https://app.acme.example/mailbox-connected';

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

interface Grant {
  username: string;
  asked: URLSearchParams;
}

const CLIENT = { client_id: 'workspace', client_secret: 'secret-of-the-workspace' };
/** Both parts are encoded as in forms (RFC 6749, section 2.3.1). */
function isClient({ authorization = '' }: IncomingMessage['headers']): boolean {
  const [id, secret] = atob(authorization.replace(/^Basic /, ''))
    .split(':')
    .map(decodeURIComponent);
  return id === CLIENT.client_id && secret === CLIENT.client_secret;
}

const error = (name: string, status = 400): Answer => ({ status, body: { error: name } });

export class TestMailProvider {
  readonly imap = new ImapServer();
  smtp!: SmtpSink;
  issuer = '';
  /** Claims of ID tokens, by username. */
  readonly claims = new Map<string, object>();
  /** Paths that were asked, `/token refresh_token` with the kind of grant. */
  readonly asked: string[] = [];
  /** Answers in place of the provider. */
  instead: (path: string) => Answer | 'drop' | undefined = () => undefined;
  /** Is awaited before tokens are refreshed. */
  refreshing: () => Promise<void> = async () => undefined;
  /** Seconds that access tokens last. */
  seconds: number | undefined = 3_600;
  /** Gives a new refresh token each time, and ends the consent when an old one comes again. */
  rotates = true;

  /** All that it gave. */
  readonly given: string[] = [];

  readonly #codes = new Map<string, Grant>();
  /** Usernames by refresh token; used ones stay. */
  readonly #refresh = new Map<string, { username: string; used: boolean }>();
  #server!: Server;
  #keys!: Awaited<ReturnType<typeof generateKeyPair>>;

  async start(): Promise<this> {
    this.#keys = await generateKeyPair('RS256');
    await this.imap.start();
    this.smtp = await startSmtpSink({ authMethods: ['XOAUTH2'], authOptional: false, onAuth: this.#onAuth });
    this.#server = createServer((request, response) => {
      void this.#respond(request).then((answer) => {
        if (answer === 'drop') return request.socket.destroy();
        const content = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
        return response
          .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
          .end(content);
      });
    }).listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  readonly #onAuth: NonNullable<SMTPServerOptions['onAuth']> = (
    { username = '', accessToken = '' },
    _,
    done,
  ) =>
    this.imap.users.get(username)?.tokens.has(accessToken)
      ? done(null, { user: username })
      : done(reply(535, '5.7.8 Secret words'));

  get config(): MailProviderConfig {
    const server = { host: '127.0.0.1', tls: false };
    return {
      client: { issuer: this.issuer, ...CLIENT },
      imap: { ...server, port: this.imap.port },
      smtp: { ...server, port: Number(new URL(this.smtp.url).port) },
    };
  }

  /** Somebody with a mailbox. */
  person(username: string, claims: object = { email: username, email_verified: true }) {
    this.claims.set(username, { preferred_username: username, ...claims });
    return this.imap.users.get(username) ?? this.imap.user(username);
  }

  /** Consents as a browser does, and returns what comes back to the redirect address. */
  consent(url: string, username: string): { authorization_code: string; state: string } {
    const asked = new URL(url).searchParams;
    const authorization_code = randomUUID();
    this.#codes.set(authorization_code, { username, asked });
    return { authorization_code, state: asked.get('state') ?? '' };
  }

  /** Access tokens work no more. */
  endTokens(username: string): void {
    this.imap.users.get(username)?.tokens.clear();
  }

  /** The person ends the consent. */
  endConsent(username: string): void {
    this.endTokens(username);
    for (const [token, grant] of this.#refresh) if (grant.username === username) this.#refresh.delete(token);
  }

  #tokens(username: string, refresh_token = this.#newRefresh(username)): Record<string, unknown> {
    const access_token = `access-${randomUUID()}`;
    this.imap.users.get(username)?.tokens.add(access_token);
    this.given.push(access_token, refresh_token);
    return { token_type: 'Bearer', access_token, refresh_token, expires_in: this.seconds };
  }

  #newRefresh(username: string): string {
    const token = `refresh-${randomUUID()}`;
    this.#refresh.set(token, { username, used: false });
    return token;
  }

  #idToken(username: string, nonce: string | null): Promise<string> {
    const seconds = Math.floor(Date.now() / 1_000);
    const times = { iat: seconds, exp: seconds + 300 };
    const names = { iss: this.issuer, aud: CLIENT.client_id, sub: hash('sha256', username) };
    const claims = { ...names, ...times, nonce, ...this.claims.get(username) };
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(this.#keys.privateKey);
  }

  async #byCode(sent: URLSearchParams): Promise<Answer> {
    const grant = this.#codes.get(sent.get('code') ?? '');
    this.#codes.delete(sent.get('code') ?? '');
    const challenge = hash('sha256', sent.get('code_verifier') ?? '', 'base64url');
    const { username, asked } = grant ?? {};
    if (!username || asked?.get('code_challenge') !== challenge) return error('invalid_grant');
    if (asked.get('redirect_uri') !== sent.get('redirect_uri')) return error('invalid_grant');
    const id_token = await this.#idToken(username, asked.get('nonce'));
    return { status: 200, body: { ...this.#tokens(username), id_token } };
  }

  async #byRefresh(sent: URLSearchParams): Promise<Answer> {
    await this.refreshing();
    const token = sent.get('refresh_token') ?? '';
    const grant = this.#refresh.get(token);
    if (!grant) return error('invalid_grant');
    if (!this.rotates) return { status: 200, body: this.#tokens(grant.username, token) };
    if (grant.used) this.endConsent(grant.username);
    if (grant.used) return error('invalid_grant');
    grant.used = true;
    return { status: 200, body: this.#tokens(grant.username) };
  }

  async #respond(request: IncomingMessage): Promise<Answer | 'drop'> {
    const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
    const sent = new URLSearchParams(await text(request));
    const path = [pathname, sent.get('grant_type')].filter(Boolean).join(' ');
    this.asked.push(path);
    const instead = this.instead(path);
    if (instead) return instead;
    if (path === '/.well-known/openid-configuration') return { status: 200, body: this.#metadata() };
    if (path === '/jwks') return { status: 200, body: { keys: [await this.#publicKey()] } };
    if (!isClient(request.headers)) return error('invalid_client', 401);
    if (path === '/token authorization_code') return this.#byCode(sent);
    if (path === '/token refresh_token') return this.#byRefresh(sent);
    const username = this.#refresh.get(sent.get('token') ?? '')?.username;
    if (path === '/revoke' && username) this.endConsent(username);
    return { status: 200, body: '' };
  }

  #metadata() {
    const { issuer } = this;
    return {
      ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
      ...{ jwks_uri: `${issuer}/jwks`, revocation_endpoint: `${issuer}/revoke` },
      ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  async #publicKey() {
    return { ...(await exportJWK(this.#keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  }

  /** Benches do not stop it. */
  unref(): void {
    this.#server.unref();
    this.imap.unref();
    this.smtp.unref();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await this.imap.stop();
    await this.smtp.stop();
  }
}

/** Sets it up for a workspace, by these names. */
export async function startMailProvider(
  { ctx }: { ctx: Pick<Services, 'config'> },
  names: readonly MailProvider[] = ['gmail', 'outlook'],
): Promise<TestMailProvider> {
  const provider = await new TestMailProvider().start();
  ctx.config.mail_private_hosts = true;
  ctx.config.mail_providers = Object.fromEntries(names.map((name) => [name, provider.config]));
  ctx.config.openid = { ...ctx.config.openid, redirect_urls: [REDIRECT] };
  return provider;
}
