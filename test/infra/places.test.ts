import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { requireAnswer } from '../../infra/local/given-endpoint.ts';
import { freePort, requireFree, urlAt } from '../../infra/local/place.ts';

const host = '127.0.0.1';

async function listening(server: Server): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('places of a local run', () => {
  it('have URLs that this machine reaches', () => {
    expect(urlAt({ host, port: 1 })).toBe('http://127.0.0.1:1');
    expect(urlAt({ host: '0.0.0.0', port: 1 })).toBe('http://127.0.0.1:1');
    expect(urlAt({ host: '::', port: 1 })).toBe('http://127.0.0.1:1');
    expect(urlAt({ host: '::1', port: 1 })).toBe('http://[::1]:1');
  });

  it('are free, or refused with what to type', async () => {
    await expect(requireFree({ host, port: await freePort(host) }, 'port')).resolves.toBeUndefined();
    const port = await listening(createServer());
    await expect(requireFree({ host, port }, 'queue-port')).rejects.toThrow(
      `Port ${port} is taken. Stop what listens there, or choose another with: npm start -- --queue-port <n>`,
    );
    // An address for documentation (RFC 5737), so of no machine.
    await expect(requireFree({ host: '192.0.2.1', port: 0 }, 'port')).rejects.toThrow(
      '192.0.2.1 is not an address of this machine: choose another with --host, or leave it out for 127.0.0.1',
    );
  });
});

describe('DYNAMODB_ENDPOINT', () => {
  const ways = 'Start a DynamoDB Local there, or unset DYNAMODB_ENDPOINT to have one started here.';

  it('is accepted when DynamoDB Local answers', async () => {
    await expect(requireAnswer(inject('dynamodb_endpoint'))).resolves.toBeUndefined();
  });

  it.each(['foo', 'localhost:8000', 'ftp://localhost'])('%s is not an address', async (endpoint) => {
    await expect(requireAnswer(endpoint)).rejects.toThrow(
      `DYNAMODB_ENDPOINT must be an address such as http://127.0.0.1:8000, not "${endpoint}". ${ways}`,
    );
  });

  it('is refused where nothing listens', async () => {
    const endpoint = `http://${host}:${await freePort(host)}`;
    await expect(requireAnswer(endpoint)).rejects.toThrow(
      `DYNAMODB_ENDPOINT ${endpoint} cannot be reached (ECONNREFUSED). ${ways}`,
    );
  });

  it('is refused where something listens and never answers', async () => {
    const endpoint = `http://${host}:${await listening(createServer())}`;
    await expect(requireAnswer(endpoint, 100)).rejects.toThrow(
      `DYNAMODB_ENDPOINT ${endpoint} does not answer within 0.1 seconds. ${ways}`,
    );
  });

  it('is refused where something else answers', async () => {
    const port = await listening(createHttpServer((_request, response) => response.end('hello')));
    await expect(requireAnswer(`http://${host}:${port}`)).rejects.toThrow(
      `DYNAMODB_ENDPOINT http://${host}:${port} answers, but not as DynamoDB Local does (200). ${ways}`,
    );
  });
});
