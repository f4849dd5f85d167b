import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where the parts of a local run listen. */

export interface Place {
  host: string;
  /** 0 takes a free one. */
  port: number;
}

/** A free port that only this machine reaches. */
export const ownPlace: Place = { host: '127.0.0.1', port: 0 };

export const EVERY_ADDRESS = ['0.0.0.0', '::'];

/** An address as in a URL. */
export function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** The URL by which this machine reaches an address and a port. */
export function urlAt({ host, port }: Place): string {
  return `http://${bracketed(EVERY_ADDRESS.includes(host) ? '127.0.0.1' : host)}:${port}`;
}

/** The URL of a server that listens. */
export function urlOf(server: Pick<Server, 'address'>): string {
  const { address, port } = server.address() as AddressInfo;
  return urlAt({ host: address, port });
}

/**
 * Below those that systems give to connections (Linux: 32,768 to 60,999; macOS and Windows: from 49,152), so that none of
 * them takes a port before its server listens.
 */
const PORTS = { from: 20_000, to: 32_000 };

/** What keeps a server from listening there; it is tried for a moment. */
async function obstacleAt({ host, port }: Place): Promise<NodeJS.ErrnoException | undefined> {
  const probe = createServer().listen(port, host);
  try {
    await once(probe, 'listening');
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
  probe.close();
  await once(probe, 'close');
  return undefined;
}

/** Drawn by chance, so that processes that ask at the same moment hardly get the same. */
export async function freePort(host: string): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    const obstacle = await obstacleAt({ host, port });
    if (!obstacle) return port;
    if (obstacle.code !== 'EADDRINUSE') throw obstacle;
  }
}

/** What to type when a place cannot be had, for the option of its port. */
function refusal(code: string | undefined, { host, port }: Place, option: string): string | undefined {
  const another = `choose another with: npm start -- --${option} <n>`;
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Stop what listens there, or ${another}`;
  if (code === 'EACCES') return `Port ${port} is for administrators only: ${another}`;
  if (code === 'EADDRNOTAVAIL' || code === 'EINVAL')
    return `${host} is not an address of this machine: choose another with --host, or leave it out for 127.0.0.1`;
  return undefined;
}

/** Throws one line that says what to type. */
export async function requireFree(place: Place, option: string): Promise<void> {
  const obstacle = await obstacleAt(place);
  if (!obstacle) return;
  const text = refusal(obstacle.code, place, option);
  throw text === undefined ? obstacle : new Error(text);
}
