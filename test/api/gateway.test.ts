import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type ApiEvent, callOf } from '#shared/api/call.ts';
import type { Operation } from '#shared/api/catalogue.ts';
import type { Handler } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { type ErrorCode, errorCatalogue } from '#shared/errors.ts';
import { writeMethods } from '../../infra/assets.ts';
import { type LocalGateway, startGateway } from '../../infra/local/gateway.ts';
import { EVENT_BYTES, HEADER_BYTES, RESPONSE_BYTES } from '../../infra/local/limits.ts';
import { requestLine } from '../../infra/local/request-line.ts';
import { linesOf, logged } from '../support/logged.ts';
import { longIt } from '../support/long.ts';
import { asJson, bearer, type RawResponse, raw } from '../support/raw.ts';
import { exchange, head, statusesOf } from '../support/socket.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** The local gateway passes on what API Gateway and Lambda pass on, and responds to any input. */

const lambda = (
  path: string,
  method: 'GET' | 'POST' | 'DELETE',
  handler: (event: ApiEvent) => unknown,
  more: { streams?: true; errors?: ErrorCode[] } = {},
) => ({
  definition: route('lambda', {
    ...more,
    method,
    path,
    access: 'public',
    summary: 'Lambda',
    returns: method === 'DELETE' ? { 204: null } : { 200: { ok: z.literal('ok') } },
    uses: [],
  }),
  handler: (async (event) => handler(event)) as Handler,
});

const jsonResponse = (body: string, headers = {}) => ({
  statusCode: 200,
  headers: { 'Content-Type': 'application/json', ...headers },
  body,
});
const textResponse = (body: string) => jsonResponse(body, { 'Content-Type': 'text/plain' });

const FRAME = JSON.stringify(textResponse('')).length;

/** A response of exactly so many bytes, as Lambda counts them. */
function responseOf(bytes: number, letter: string) {
  const size = JSON.stringify(letter).length - 2;
  return textResponse(letter.repeat((bytes - FRAME) / size));
}

/** Results of functions that API Gateway cannot read: it responds itself. */
const malformed: Record<string, unknown> = {
  nothing: undefined,
  null: null,
  text: 'ok',
  'no status': { headers: {}, body: '{}' },
  'a status of words': { statusCode: 'fine', body: '{}' },
  'a status out of range': { statusCode: 99, body: '{}' },
  'a body that is an object': { statusCode: 200, headers: {}, body: { ok: 'ok' } },
  'a header that breaks the line': jsonResponse('{}', { 'X-Break': 'a\r\nSet-Cookie: b' }),
  'a header that is an object': jsonResponse('{}', { 'X-Object': { a: 1 } }),
};

/** So long that a stream compresses it. */
const refused = JSON.stringify({
  error: {
    code: 'invalid_cursor',
    message: 'words '.repeat(300),
    fields: { next_cursor: { code: 'invalid_format' } },
  },
});

let hanging = 0;
const lambdas = {
  echo: lambda('/echo', 'POST', (event) => jsonResponse(JSON.stringify(event))),
  look: lambda('/echo', 'GET', (event) => jsonResponse(JSON.stringify(event))),
  gone: lambda('/echo', 'DELETE', () => ({ statusCode: 204, headers: {}, body: '' })),
  malformed: lambda('/malformed/{name}', 'GET', (event) => malformed[event.pathParameters?.id ?? '']),
  large: lambda('/large', 'GET', (event) => {
    const { bytes, letter } = event.queryStringParameters as { bytes: string; letter: string };
    return responseOf(Number(bytes), letter);
  }),
  broken: lambda('/broken', 'GET', () => {
    throw new Error('ada@acme.example');
  }),
  late: lambda('/late', 'GET', async () => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return { statusCode: 200, headers: {}, body: '' };
  }),
  hangs: lambda('/hangs', 'GET', () => {
    hanging++;
    return new Promise(() => {});
  }),
  streamed: lambda(
    '/streamed',
    'GET',
    (event) => {
      callOf(event).error_code = 'invalid_cursor';
      return { ...jsonResponse(refused), statusCode: 400 };
    },
    { streams: true, errors: ['invalid_cursor'] },
  ),
};

const operations: Operation[] = Object.entries(lambdas).map(([name, { definition, handler }]) => ({
  family: 'lambdas',
  name,
  definition: { ...definition, name },
  handler,
}));

describe('local gateway', () => {
  let workspace: Workspace;
  let gateway: LocalGateway;
  let folder: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    folder = await mkdtemp(join(tmpdir(), 'gateway-'));
    await writeMethods(folder, operations);
    workspace.ctx.config.assets_dir = folder;
    gateway = await startGateway(operations, 0);
  });
  afterAll(async () => {
    await gateway?.close();
    await workspace?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const get = (path: string, headers: [string, string][] = []) => raw(gateway.url, { path, headers });
  const post = (body: string | Buffer, ...headers: [string, string][]) =>
    raw(gateway.url, { method: 'POST', path: '/echo', headers: [asJson, ...headers], body });
  const eventOf = (response: RawResponse) => response.json as unknown as ApiEvent;

  it('prints a line for each request: method, path, status, error and bad fields, but no query', async () => {
    const lines: string[] = [];
    const verbose = await startGateway(operations, 0, { log: (line) => lines.push(line) });
    const send = (method: string, path: string) => raw(verbose.url, { method, path, headers: [asJson] });
    await send('POST', '/echo?token=secret');
    await send('GET', '/nowhere?token=secret');
    await send('PUT', '/echo');
    await send('GET', '/malformed/text');
    const compressed = await fetch(`${verbose.url}/streamed?token=secret`);
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    await compressed.text();
    await verbose.close();
    expect(lines.map((line) => line.replace(/\d+ ms/, 'n ms'))).toEqual([
      'POST /echo 200 (n ms)',
      'GET /nowhere 404 not_found (n ms)',
      'PUT /echo 405 method_not_allowed (n ms)',
      'GET /malformed/text 500 error (n ms)',
      'GET /streamed 400 invalid_cursor next_cursor: invalid_format (n ms)',
    ]);
    const fields = { name: { code: 'required' }, color: { code: 'invalid_format' } };
    const body = JSON.stringify({ error: { code: 'invalid_request', fields } });
    const result = { statusCode: 400, headers: {}, body };
    expect(requestLine({ method: 'POST', url: '/tags?token=secret' }, result, 2)).toBe(
      'POST /tags 400 invalid_request name: required, color: invalid_format (2 ms)',
    );
  });

  /** Status and code of an error response, whose shape is checked here. */
  function refusal({ status, headers, json }: RawResponse): string {
    const code = json.error?.code as keyof typeof errorCatalogue;
    expect(json).toEqual({
      error: {
        code,
        message: errorCatalogue[code].message,
        request_id: headers['x-request-id'],
        doc_url: expect.stringMatching(new RegExp(`/docs/errors#${code}$`)),
      },
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    return `${status} ${code}`;
  }

  describe('event', () => {
    it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'])(
      'takes a header and a query parameter called %s',
      async (name) => {
        const response = await get(`/echo?${name}=1&${name}=2`, [
          [name, 'a'],
          [name, 'b'],
        ]);
        expect(response.status).toBe(200);
        const event = eventOf(response);
        const own = (names: unknown) => Object.entries(names as object).filter(([key]) => key === name);
        expect(own(event.headers)).toEqual([[name, 'b']]);
        expect(own(event.multiValueHeaders)).toEqual([[name, ['a', 'b']]]);
        expect(own(event.queryStringParameters)).toEqual([[name, '2']]);
        expect(own(event.multiValueQueryStringParameters)).toEqual([[name, ['1', '2']]]);
      },
    );

    it('has null for missing parts', async () => {
      expect(eventOf(await get('/echo'))).toMatchObject({
        pathParameters: null,
        queryStringParameters: null,
        multiValueQueryStringParameters: null,
        body: null,
      });
    });

    it.each([
      ['%', '%'],
      ['%zz', '%zz'],
      ['%E0%A4%A', '\uFFFD%A'],
      ['a+b%20c', 'a b c'],
      ['%00', '\0'],
      ['%F0%9F%98%80', '\u{1F600}'],
    ])('reads the query value %s', async (sent, read) => {
      expect(eventOf(await get(`/echo?q=${sent}`)).queryStringParameters?.q).toBe(read);
    });
  });

  describe('request target', () => {
    it.each([
      ['//', 404],
      ['//echo', 404],
      ['/echo/', 200],
      ['/echo//', 404],
      ['/echo?', 200],
      ['/echo?q=%zz&=&&a', 200],
      ['/%65cho', 404],
      ['/../echo', 404],
      ['/echo/../echo', 404],
      ['/echo\\', 404],
      ['/[::1', 404],
      ['http://[::1', 404],
      ['http://elsewhere.example', 404],
      ['http://elsewhere.example/echo?q=1', 200],
      ['/malformed/%', 500],
    ])('GET %s: %i', async (target, status) => {
      const received = await exchange(gateway.url, head(`GET ${target} HTTP/1.1`));
      expect(statusesOf(received)).toEqual([status]);
    });

    it('with a slash at its end reaches the same function, which sees the slash', async () => {
      expect(eventOf(await get('/echo/'))).toMatchObject({ resource: '/echo', path: '/echo/' });
    });

    it('may be * for OPTIONS, which is not a path', async () => {
      expect(statusesOf(await exchange(gateway.url, head('OPTIONS * HTTP/1.1')))).toEqual([404]);
    });
  });

  describe('headers', () => {
    /** A request whose request line and headers have exactly so many bytes. */
    const sized = (bytes: number, name = 'X-Fill', path = '/echo') => {
      const rest = head(`GET ${path} HTTP/1.1`, `${name}: `).length;
      return head(`GET ${path} HTTP/1.1`, `${name}: ${'x'.repeat(bytes - rest)}`);
    };

    it(`take ${HEADER_BYTES} bytes with the request line, and no more`, async () => {
      expect(statusesOf(await exchange(gateway.url, sized(HEADER_BYTES)))).toEqual([200]);
      const path = `/echo?q=${'q'.repeat(9_000)}`;
      expect(statusesOf(await exchange(gateway.url, sized(HEADER_BYTES, 'X', path)))).toEqual([200]);
      expect(statusesOf(await exchange(gateway.url, sized(HEADER_BYTES + 1, 'X', path)))).toEqual([431]);
      const many = Array.from({ length: 3_000 }, (_, i) => `a${i}:`);
      expect(statusesOf(await exchange(gateway.url, head('GET /echo HTTP/1.1', ...many)))).toEqual([431]);
    });

    it.each([HEADER_BYTES + 1, 20_000, 200_000, 2_000_000])('431: %i bytes', async (bytes) => {
      const received = await exchange(gateway.url, sized(bytes));
      expect(statusesOf(received)).toEqual([431]);
      expect(received).toContain('"code":"headers_too_large"');
      expect(received).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/i);
    });

    it('returns 431 for requests with a body too, and keeps the connection open', async () => {
      const long = head(
        'POST /echo HTTP/1.1',
        'Content-Length: 5',
        `X: ${'x'.repeat(11_000)}`,
        'Connection: keep-alive',
      );
      const received = await exchange(gateway.url, long, 'hello', head('GET /echo HTTP/1.1'));
      expect(statusesOf(received)).toEqual([431, 200]);
    });

    it('pass on every value of a header in any case: two credentials are refused', async () => {
      const headers: [string, string][] = [
        bearer(workspace.ada.read_key),
        ['authorization', `Bearer ${workspace.grace.read_key}`],
      ];
      const response = await raw(workspace.url, { path: '/users/me', headers });
      expect(response.status).toBe(401);
      const types: [string, string][] = [asJson, ['CONTENT-TYPE', 'text/plain']];
      const two = await raw(workspace.url, {
        method: 'POST',
        path: '/tags',
        headers: [bearer(workspace.ada.write_key), ...types],
        body: '{}',
      });
      expect(two.status).toBe(415);
    });
  });

  describe('a body', () => {
    const fields = { name: 'Ada', note: 'Zoë \u{1F600}' };
    const body = JSON.stringify(fields);

    it.each([
      ['gzip', gzipSync(body)],
      ['GZIP', gzipSync(body)],
      ['deflate', deflateSync(body)],
      ['identity', Buffer.from(body)],
      ['', Buffer.from(body)],
    ])('with Content-Encoding "%s" is decoded', async (coding, bytes) => {
      const response = await post(bytes, ['Content-Encoding', coding]);
      expect(response.status).toBe(200);
      expect(eventOf(response)).toMatchObject({ body, isBase64Encoded: false });
    });

    it.each([
      ['br', Buffer.from(body)],
      ['gzip, gzip', gzipSync(gzipSync(body))],
      ['gzip', Buffer.from(body)],
      ['gzip', gzipSync(body).subarray(0, -9)],
      ['deflate', gzipSync(body)],
      ['nonsense', Buffer.from(body)],
    ])('with another coding than its Content-Encoding "%s": 415', async (coding, bytes) => {
      expect(refusal(await post(bytes, ['Content-Encoding', coding]))).toBe('415 unsupported_media_type');
    });

    longIt('that unpacks to more than 10 MB: 413', async () => {
      const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
      expect(bomb.length).toBeLessThan(300_000);
      expect(refusal(await post(bomb, ['Content-Encoding', 'gzip']))).toBe('413 payload_too_large');
    });

    it('may come in chunks, without a length, after 100 Continue, and with another expectation', async () => {
      const chunked = head('POST /echo HTTP/1.1', 'Transfer-Encoding: chunked');
      expect(await exchange(gateway.url, chunked, '5\r\nhello\r\n', '0\r\n\r\n')).toContain('"body":"hello"');
      const expecting = head('POST /echo HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 5');
      const received = await exchange(gateway.url, expecting, 'hello');
      expect(statusesOf(received)).toEqual([100, 200]);
      expect(received).toContain('"body":"hello"');
      const other = head('POST /echo HTTP/1.1', 'Expect: miracles', 'Content-Length: 5');
      expect(statusesOf(await exchange(gateway.url, other, 'hello'))).toEqual([200]);
    });

    it('on a GET is passed on, and an empty one counts as none', async () => {
      const response = await raw(gateway.url, { path: '/echo', headers: [asJson], body: '{}' });
      expect(eventOf(response).body).toBe('{}');
      expect(eventOf(await post('')).body).toBe(null);
    });

    it('of 4.4 MB that doubles as an event is too large for Lambda, though API Gateway takes it', async () => {
      const quotes = '\\"'.repeat(2_200_000);
      expect(refusal(await post(`{"note":"${quotes}"}`))).toBe('413 payload_too_large');
      const letters = 'xy'.repeat(2_200_000);
      expect(
        (
          await raw(gateway.url, {
            method: 'POST',
            path: '/nothing',
            headers: [asJson],
            body: `"${letters}"`,
          })
        ).status,
      ).toBe(404);
    });

    it(`makes an event of at most ${EVENT_BYTES} bytes`, async () => {
      const frame =
        Buffer.byteLength(JSON.stringify(eventOf(await post('x'.repeat(1_000_000))))) - 1_000_000 + 1;
      // The response is smaller than the request, so only the limit of the event applies.
      const sent = (bytes: number) =>
        raw(gateway.url, { method: 'DELETE', path: '/echo', headers: [asJson], body: 'x'.repeat(bytes) });
      expect((await sent(EVENT_BYTES - frame - 200)).status).toBe(204);
      expect(refusal(await sent(EVENT_BYTES - frame + 200))).toBe('413 payload_too_large');
    });
  });

  longIt('has room for the longest comment in its longest spelling', async () => {
    const { body } = await workspace.ada.api.createContact({ body: { contact: { name: 'Ada' } } });
    const spelled = (characters: number) => '\\ud83d\\ude00'.repeat(characters);
    const [before, after] = [
      '{\\"type\\":\\"doc\\",\\"content\\":[{\\"type\\":\\"text\\",\\"text\\":\\"',
      '\\"}]}',
    ];
    const room = 200_000 - `${before}${after}`.replaceAll('\\', '').length;
    const comment = `{"html_content":"${spelled(200_000)}","json_content":"${before}${spelled(room)}${after}"}`;
    const response = await raw(workspace.url, {
      method: 'POST',
      path: `/contacts/${body.contact.id}/comments`,
      headers: [asJson, bearer(workspace.ada.write_key)],
      body: `{"comment":${comment}}`,
    });
    expect(response.status).toBe(201);
    const { html_content } = response.json.comment as { html_content: string };
    expect([...html_content]).toHaveLength(200_000);
  });

  it('logs a line for each request to which it responds itself, without the content of the request', async () => {
    const written = await logged(async () => {
      await get('/large?bytes=7000000&letter=secret');
      await get('/broken?letter=secret');
      await get('/malformed/null');
      await post(Buffer.from('secret'), ['Content-Encoding', 'br']);
      await get('/echo', [['X-Secret', 'secret'.repeat(2_000)]]);
      await exchange(gateway.url, head('FOO /secret HTTP/1.1'));
    });
    const failures = linesOf(written, 'gateway failure');
    expect(failures.map(({ error }) => (error as Error).message)).toEqual([
      expect.stringMatching(/^The response has \d+ bytes, and Lambda returns at most 6291556$/),
      '[address]',
      'The function returned no status, headers and body',
    ]);
    const refusals = linesOf(written, 'gateway refused');
    expect(refusals.map(({ error_code }) => error_code)).toEqual([
      'unsupported_media_type',
      'headers_too_large',
      'method_not_allowed',
    ]);
    for (const line of [...failures, ...refusals])
      expect(line.request_id).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/));
    expect(written).not.toContain('secret');
  });

  describe('a response', () => {
    it.each(['x', '"', '\n'])(
      `of ${RESPONSE_BYTES} bytes passes, and one more does not: %j`,
      async (letter) => {
        const size = JSON.stringify(letter).length - 2;
        const even = RESPONSE_BYTES - ((RESPONSE_BYTES - FRAME) % size);
        const large = (bytes: number) => get(`/large?bytes=${bytes}&letter=${encodeURIComponent(letter)}`);
        expect((await large(even)).status).toBe(200);
        expect(refusal(await large(even + size))).toBe('500 error');
      },
    );

    it.each(Object.keys(malformed))('that is malformed is 500: %s', async (name) => {
      expect(refusal(await get(`/malformed/${encodeURIComponent(name)}`))).toBe('500 error');
    });

    it('is 500 when the function throws', async () => {
      const response = await get('/broken');
      expect(refusal(response)).toBe('500 error');
      expect(response.text).not.toContain('acme');
    });

    it('is 500 when the function takes longer than the gateway waits', async () => {
      const patient = await startGateway(operations, 0, { timeout: 30 });
      const response = await raw(patient.url, { path: '/hangs' });
      await patient.close();
      expect(hanging).toBe(1);
      expect(refusal(response)).toBe('500 error');
    });

    it('is awaited longer during the work that asks for it, and only then', async () => {
      const patient = await startGateway(operations, 0, { timeout: 30 });
      const ask = async () => (await raw(patient.url, { path: '/late' })).status;
      const during = await patient.withTimeout(60_000, ask);
      const after = await ask();
      await patient.close();
      expect([during, after]).toEqual([200, 500]);
    });

    it('of 204 has no type, length or body, and keeps the connection open', async () => {
      const received = await exchange(
        gateway.url,
        head('DELETE /echo HTTP/1.1', 'Connection: keep-alive'),
        head('GET /nothing HTTP/1.1'),
      );
      expect(statusesOf(received)).toEqual([204, 404]);
      const first = received.slice(0, received.indexOf('\r\n\r\n'));
      expect(first).not.toMatch(/content-type|content-length|transfer-encoding/i);
    });
  });

  describe('a connection', () => {
    it.each([
      ['garbage', 'garbage\r\n\r\n', 405],
      ['TLS', Buffer.from('16030100a5010000a1030300', 'hex'), 405],
      ['a header without a name', 'GET /echo HTTP/1.1\r\nHost: local\r\n: x\r\n\r\n', 400],
      ['a folded header', 'GET /echo HTTP/1.1\r\nHost: local\r\n x: y\r\n\r\n', 400],
      ['NUL in a header', 'GET /echo HTTP/1.1\r\nHost: local\r\nX: a\0b\r\n\r\n', 400],
      ['two lengths', head('POST /echo HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2'), 400],
      ['a negative length', head('POST /echo HTTP/1.1', 'Content-Length: -1'), 400],
      [
        'length and chunks',
        head('POST /echo HTTP/1.1', 'Content-Length: 1', 'Transfer-Encoding: chunked'),
        400,
      ],
      ['no host', 'GET /echo HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      ['a bad chunk', `${head('POST /echo HTTP/1.1', 'Transfer-Encoding: chunked')}zz\r\n`, 400],
      ['an unknown method', head('FOO /echo HTTP/1.1'), 405],
      ['CONNECT', head('CONNECT elsewhere.example:443 HTTP/1.1'), 405],
      ['an unknown version', head('GET /echo HTTP/9.9'), 400],
    ])('gets an error in the documented shape: %s', async (_, bytes, status) => {
      const received = await exchange(gateway.url, bytes);
      expect(statusesOf(received)).toEqual([status]);
      expect(received).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/i);
      expect(JSON.parse(received.slice(received.indexOf('\r\n\r\n')))).toHaveProperty('error.code');
    });

    it('that asks for another protocol stays on HTTP', async () => {
      const upgrade = head('GET /echo HTTP/1.1', 'Upgrade: websocket', 'Connection: Upgrade, close');
      expect(statusesOf(await exchange(gateway.url, upgrade))).toEqual([200]);
      const http1 = 'GET /echo HTTP/1.0\r\n\r\n';
      expect(statusesOf(await exchange(gateway.url, http1))).toEqual([200]);
    });

    it('gets responses to pipelined requests in order, also when garbage follows', async () => {
      const open = 'Connection: keep-alive';
      const both =
        head('GET /echo?n=1 HTTP/1.1', open) +
        head('GET /nothing HTTP/1.1', open) +
        head('GET /echo?n=3 HTTP/1.1');
      const received = await exchange(gateway.url, both);
      expect(statusesOf(received)).toEqual([200, 404, 200]);
      const broken = await exchange(gateway.url, `${head('GET /echo?n=1 HTTP/1.1', open)}garbage\r\n\r\n`);
      expect(statusesOf(broken)).toEqual([200, 405]);
    });

    it('that is closed early does not affect others', async () => {
      const { hostname, port } = new URL(gateway.url);
      for (const bytes of [
        'GET /ec',
        `${head('POST /echo HTTP/1.1', 'Content-Length: 9')}hell`,
        head('GET /hangs HTTP/1.1'),
      ]) {
        const socket = connect(Number(port), hostname, () => socket.write(bytes, () => socket.destroy()));
        await new Promise((resolve) => socket.once('close', resolve));
      }
      expect((await get('/echo')).status).toBe(200);
    });
  });
});
