import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ApiEvent } from '#shared/api/call.ts';
import { readRefreshCookie, withoutRefreshCookie, withRefreshCookie } from '#shared/api/refresh-cookie.ts';
import { streamed } from '#shared/api/stream.ts';

/** The refresh cookie behind API Gateway, with a stage in the path and with a domain of its own. */

const event = (path: string, headers: Record<string, string> = {}) =>
  ({
    resource: '/sessions/{id}',
    path: '/sessions/1',
    pathParameters: { id: '1' },
    headers: { 'X-Forwarded-Proto': 'https', ...headers },
    requestContext: { path, domainName: 'api.acme.example' },
  }) as unknown as ApiEvent;

describe('the refresh cookie', () => {
  it.each([
    ['/prod/sessions/1', '/prod/access_tokens'],
    ['/sessions/1', '/access_tokens'],
  ])('of a request to %s is for %s, and secure', (path, own) => {
    const attributes = `Path=${own}; HttpOnly; Secure; SameSite=Strict`;
    expect(withRefreshCookie(event(path), 'wsk_refresh_x-_', 60)).toEqual({
      'Set-Cookie': `refresh_token=wsk_refresh_x-_; Max-Age=60; ${attributes}`,
    });
    expect(withoutRefreshCookie(event(path))).toEqual({
      'Set-Cookie': `refresh_token=; Max-Age=0; ${attributes}`,
    });
  });

  it('is secure when nobody says how the service was called', () => {
    const headers = { 'X-Forwarded-Proto': '' };
    expect(withRefreshCookie(event('/sessions/1', headers), 'x', 60)['Set-Cookie']).toContain('Secure');
  });

  it('is read from pages at the domain of the service, by https only', () => {
    const Cookie = 'refresh_token=x';
    const read = (Origin: string) => readRefreshCookie(event('/sessions/1', { Cookie, Origin }));
    expect(read('https://api.acme.example')).toBe('x');
    for (const other of ['http://api.acme.example', 'https://acme.example', 'https://api.acme.example:8443'])
      expect(() => read(other)).toThrow('pages of the service');
  });

  it('is set by streamed responses too', async () => {
    const headers = withRefreshCookie(event('/sessions/1'), 'x', 60);
    const out = Object.assign(new PassThrough(), { setContentType: () => undefined });
    await streamed(async () => ({ statusCode: 200, headers, body: '{}' }))(event('/'), out, undefined);
    expect(String(out.read())).toContain('"Set-Cookie":"refresh_token=x;');
  });
});
