import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPublicAddress } from '#shared/providers/outside/public-address.ts';
import { publicExchange, TooLarge } from '#shared/providers/outside/public-exchange.ts';
import { NotPublic } from '#shared/providers/outside/public-request.ts';

describe('an exchange with a server that a user names', () => {
  let server: Server;
  let host: string;
  let answer: (response: ServerResponse) => void;
  beforeAll(async () => {
    server = createServer((_, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const sent = (signal = AbortSignal.timeout(5_000)) => ({
    method: 'GET',
    headers: {},
    max_bytes: 1_000,
    signal,
  });
  const outside = (address: string) => ({
    resolve: async () => [{ address, family: 4 }],
    isPublic: isPublicAddress,
    port: 443,
  });

  it('gives the answer of a trusted host, and only of that', async () => {
    answer = (response) => response.writeHead(207, { ETag: '"1"' }).end('hello');
    const exchange = publicExchange([host]);
    expect(await exchange(`http://${host}/`, sent())).toMatchObject({ status: 207, text: 'hello' });
    const other = `http://127.0.0.1:${Number(host.split(':')[1]) + 1}/`;
    for (const url of [
      other,
      `http://localhost:${host.split(':')[1]}/`,
      `ftp://${host}/`,
      `http://${host}.evil.example/`,
    ])
      await expect(async () => exchange(url, sent())).rejects.toBeInstanceOf(NotPublic);
  });

  it.each(['127.0.0.1', '169.254.169.254', '10.0.0.1'])(
    'refuses a name that resolves to %s',
    async (address) => {
      const exchange = publicExchange([], outside(address));
      await expect(exchange('https://caldav.example/', sent())).rejects.toBeInstanceOf(NotPublic);
    },
  );

  it('cuts off an answer that is too large, whatever it says of its size', async () => {
    answer = (response) => {
      response.writeHead(200);
      const more = () => !response.destroyed && response.write('x'.repeat(100), () => setImmediate(more));
      more();
    };
    await expect(publicExchange([host])(`http://${host}/`, sent())).rejects.toBeInstanceOf(TooLarge);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['never answers', () => undefined],
    ['never ends', (response) => void response.writeHead(200).write('x')],
  ])('ends with the signal when the server %s', async (_, how) => {
    answer = how;
    await expect(publicExchange([host])(`http://${host}/`, sent(AbortSignal.timeout(100)))).rejects.toThrow();
  });

  it('fails for an answer that ends in the middle', async () => {
    answer = (response) => {
      response.writeHead(200, { 'Content-Length': '900' });
      response.write('x', () => response.destroy());
    };
    await expect(publicExchange([host])(`http://${host}/`, sent())).rejects.toThrow();
  });
});
