import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Says whose an access token is (RFC 7662), as the operator of a mail server with OAuth does. */
export interface TokenServer {
  /** A token is added to its end. */
  url: string;
  /** Users by token: what is not in it is not active. */
  tokens: Map<string, string>;
  stop(): Promise<void>;
}

export async function startTokenServer(): Promise<TokenServer> {
  const tokens = new Map<string, string>();
  const server = createServer((request, response) => {
    const token = new URL(request.url ?? '', 'http://localhost').searchParams.get('token') ?? '';
    const username = tokens.get(token);
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(username === undefined ? { active: false } : { active: true, username }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/?token=`,
    tokens,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
