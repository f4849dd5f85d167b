import { once } from 'node:events';
import { connect } from 'node:net';

/** Raw bytes over a socket, for input that no HTTP client sends. */

/** Everything that is received until the server closes the connection. */
export async function exchange(base_url: string, ...parts: (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(base_url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk;
  });
  await once(socket, 'connect');
  for (const part of parts) socket.write(part);
  await once(socket, 'close');
  return received;
}

/** A request head; without a Connection header of its own the connection closes after the response. */
export function head(first: string, ...headers: string[]): string {
  const lines = headers.some((line) => /^connection:/i.test(line))
    ? headers
    : [...headers, 'Connection: close'];
  return `${[first, 'Host: local', ...lines].join('\r\n')}\r\n\r\n`;
}

export const statusesOf = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
