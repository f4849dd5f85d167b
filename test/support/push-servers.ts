import { createDecipheriv, type ECDH, hkdfSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2, type Http2Server } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { type PublicRequest, publicRequest } from '#shared/providers/outside/public-request.ts';
import { certificate } from './certificate.ts';

/** Push services that speak the protocols of the real ones. */

export interface Received {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** How a server answers: the next answers, and then success. */
export interface Answer {
  status: number;
  body?: string;
  headers?: Record<string, string>;
  /** Never ends. */
  endless?: true;
  /** Never begins. */
  silent?: true;
}

export interface PushServer {
  port: number;
  received: Received[];
  answers: Answer[];
  close(): Promise<void>;
}

type Incoming = Pick<IncomingMessage, 'url' | 'headers'> & AsyncIterable<Buffer>;

function listen(server: Server, close: () => void): Promise<Pick<PushServer, 'port' | 'close'>> {
  server.listen(0, '127.0.0.1');
  return once(server, 'listening').then(() => ({
    port: (server.address() as AddressInfo).port,
    close: async () => {
      close();
      server.close();
    },
  }));
}

async function answer(
  { received, answers }: Pick<PushServer, 'received' | 'answers'>,
  success: number,
  request: Incoming,
  response: Pick<ServerResponse, 'writeHead' | 'end' | 'write'>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
  const { status, body = '', headers = {}, endless, silent } = answers.shift() ?? { status: success };
  if (silent) return;
  response.writeHead(status, headers);
  if (!endless) response.end(body);
  else for (let i = 0; i < 1_000; i++) response.write('a'.repeat(10_000));
}

/** A push service of browsers (RFC 8030), as `push.example`. `request` reaches it, and nothing else. */
export async function startWebService(): Promise<PushServer & { request: PublicRequest; origin: string }> {
  const state = { received: [] as Received[], answers: [] as Answer[] };
  const server = createHttps(certificate, (request, response) => void answer(state, 201, request, response));
  const listening = await listen(server, () => server.closeAllConnections());
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const outside = { resolve, isPublic: () => true, port: listening.port, ca: certificate.cert };
  const origin = `https://push.example:${listening.port}`;
  return { ...state, ...listening, origin, request: publicRequest(outside) };
}

/** What the browser reads of a message (RFC 8188, section 2; RFC 8291, section 3.4). */
export function decrypted(body: Buffer, browser: ECDH, auth: Buffer): unknown {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + (body[20] as number));
  const sealed = body.subarray(21 + sender.length);
  const derive = (secret: Buffer, from: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
  const secret = derive(browser.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
}

/** Apple's service, over HTTP/2 without TLS. `sessions` counts the connections. */
export async function startApns(): Promise<
  PushServer & { url: string; sessions: () => number; cut(): void }
> {
  const state = { received: [] as Received[], answers: [] as Answer[] };
  const server: Http2Server = createHttp2((request, response) =>
    answer(state, 200, request as never, response as never),
  );
  const open = new Set<{ destroy(): void }>();
  let sessions = 0;
  server.on('session', (session) => {
    sessions++;
    open.add(session);
  });
  const cut = () => {
    for (const session of open) session.destroy();
    open.clear();
  };
  const listening = await listen(server, cut);
  return { ...state, ...listening, url: `http://127.0.0.1:${listening.port}`, sessions: () => sessions, cut };
}

/** Google's token endpoint and FCM. `granted` has the assertions that were exchanged. */
export async function startFcm(): Promise<PushServer & { url: string; granted: string[] }> {
  const state = { received: [] as Received[], answers: [] as Answer[] };
  const granted: string[] = [];
  const server = createHttp(async (request, response) => {
    if (request.url !== '/token') return answer(state, 200, request, response);
    granted.push(new URLSearchParams(await text(request)).get('assertion') ?? '');
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ access_token: `access-${granted.length}`, expires_in: 3_600 }));
  });
  const listening = await listen(server, () => server.closeAllConnections());
  return { ...state, ...listening, url: `http://127.0.0.1:${listening.port}`, granted };
}
