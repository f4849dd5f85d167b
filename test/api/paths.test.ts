import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Probes, startProbes } from '../support/probes.ts';
import { asJson, bearer, raw } from '../support/raw.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Checks 1 and 2 of docs/specification/requests.md: the path exists, and the method on it. */
describe('paths and methods', () => {
  let workspace: Workspace;
  let probes: Probes;
  beforeAll(async () => {
    workspace = await startWorkspace();
    probes = await startProbes(workspace.ctx);
  });
  afterAll(async () => {
    await probes.stop();
    await workspace.stop();
  });
  afterEach(() => {
    workspace.ctx.config.cors_origins = [];
  });

  const origin: [string, string] = ['Origin', 'https://app.acme.example'];
  const preflight = (...headers: [string, string][]) =>
    raw(probes.url, { method: 'OPTIONS', path: '/probes', headers });

  it.each(['/', '/nothing', '/probes/a/b/c/d', '/probes/', '//probes', '/PROBES', '/probes/%2e%2e/x/y/z'])(
    '404 not_found without any key: %s',
    async (path) => {
      const response = await raw(probes.url, { path });
      expect([response.status, response.json.error?.code]).toEqual([404, 'not_found']);
      expect(response.headers['content-type']).toBe('application/json');
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it.each([
    ['PUT', '/probes', 'GET, HEAD, POST, OPTIONS'],
    ['PATCH', '/probes/1', 'DELETE, OPTIONS'],
    ['GET', '/probes/1/parts/2', 'POST, OPTIONS'],
    ['TRACE', '/probes', 'GET, HEAD, POST, OPTIONS'],
  ])('405 without any key, with Allow: %s %s', async (method, path, allow) => {
    const response = await raw(probes.url, { method, path });
    expect([response.status, response.json.error?.code]).toEqual([405, 'method_not_allowed']);
    expect(response.headers.allow).toBe(allow);
  });

  it.each(['PUT', 'GET', 'OPTIONS', 'HEAD'])(
    '404 for %s on a path that ends with a slash',
    async (method) => {
      for (const path of ['/probes/', '/probes/1/', '/probes/1/parts/2/'])
        expect((await raw(probes.url, { method, path })).status).toBe(404);
    },
  );

  it('405 in the documented shape for a method that HTTP does not have', async () => {
    const response = await raw(probes.url, { method: 'FOO', path: '/probes' });
    expect([response.status, response.json.error?.code]).toEqual([405, 'method_not_allowed']);
  });

  it('serves HEAD as GET without a body', async () => {
    const headers = [bearer(workspace.ada.read_key)];
    const get = await raw(probes.url, { path: '/probes?word=abc', headers });
    const head = await raw(probes.url, { method: 'HEAD', path: '/probes?word=abc', headers });
    expect([get.status, get.json.seen]).toEqual([200, { word: 'abc' }]);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-type']).toBe('application/json');
    const bad = await raw(probes.url, { method: 'HEAD', path: '/probes?word=abcdef', headers });
    expect([bad.status, bad.text]).toEqual([400, '']);
  });

  it('responds to a preflight of a configured origin', async () => {
    workspace.ctx.config.cors_origins = ['https://app.acme.example'];
    const response = await preflight(origin, ['Access-Control-Request-Method', 'POST']);
    expect([response.status, response.text]).toEqual([204, '']);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.acme.example',
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-headers':
        'Authorization, Content-Type, Accept, Idempotency-Key, If-Match, If-None-Match, Prefer',
      vary: 'Origin',
    });
    expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('allows nothing to another origin, and no origin when none is configured', async () => {
    const asked: [string, string] = ['Access-Control-Request-Method', 'POST'];
    const none = await preflight(origin, asked);
    workspace.ctx.config.cors_origins = ['https://other.example'];
    const other = await preflight(origin, asked);
    for (const response of [none, other]) {
      expect(response.status).toBe(204);
      expect(response.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
      expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('lets browsers of a configured origin read responses and failures', async () => {
    workspace.ctx.config.cors_origins = ['*'];
    const good = await raw(probes.url, {
      method: 'POST',
      path: '/probes',
      headers: [origin, asJson],
      body: '{}',
    });
    const bad = await raw(probes.url, { path: '/probes', headers: [origin] });
    expect([good.status, bad.status]).toEqual([201, 401]);
    for (const response of [good, bad]) {
      expect(response.headers['access-control-allow-origin']).toBe('*');
      expect(response.headers['access-control-expose-headers']).toContain('Retry-After');
    }
  });

  it('returns 404 for OPTIONS on an unknown path', async () => {
    const response = await raw(probes.url, { method: 'OPTIONS', path: '/nothing', headers: [origin] });
    expect(response.status).toBe(404);
  });
});
