import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PushRefused } from '#shared/domain/collaboration/notifications/push/service.ts';
import { publicRequest } from '#shared/providers/outside/public-request.ts';
import { webPush } from '#shared/providers/push/web.ts';
import { webSubscription } from '../../support/devices.ts';
import { aMessage, soon, vapid } from '../../support/push-keys.ts';
import { decrypted, startWebService } from '../../support/push-servers.ts';

describe('web push', () => {
  let service: Awaited<ReturnType<typeof startWebService>>;
  beforeAll(async () => {
    service = await startWebService();
  });
  beforeEach(() => {
    service.received.length = 0;
    service.answers.length = 0;
  });
  afterAll(() => service?.close());

  const given = () => webSubscription(`${service.origin}/wpush/1?a=b`);
  const send = (token = JSON.stringify(given().subscription), message = aMessage, signal = soon()) =>
    webPush(vapid, service.request).send(token, message, signal);

  it('encrypts the message for the browser, and signs for the service', async () => {
    const { subscription, browser, auth } = given();
    expect(await send(JSON.stringify(subscription))).toBe('sent');
    const [{ path, headers, body }] = service.received as [(typeof service.received)[number]];
    expect(path).toBe('/wpush/1?a=b');
    const { title, body: text, ...data } = aMessage;
    expect(decrypted(body, browser, auth)).toEqual({ title, body: text, tag: data.notification_id, data });
    expect(body.toString('latin1')).not.toContain('Grace');
    expect(headers).toMatchObject({ ttl: '86400', 'content-encoding': 'aes128gcm' });
    expect(headers.topic).toBe(aMessage.notification_id.replaceAll('-', ''));
    const [, jwt = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(`${headers.authorization}`) ?? [];
    expect([key, decodeProtectedHeader(jwt).alg]).toEqual([vapid.public_key, 'ES256']);
    const point = Buffer.from(key, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
    const { payload } = await jwtVerify(
      jwt,
      await importJWK({ kty: 'EC', crv: 'P-256', x: x as string, y: y as string }, 'ES256'),
    );
    expect(payload).toMatchObject({ aud: service.origin, sub: vapid.subject });
  });

  it('the longest message fits into 4,096 bytes', async () => {
    const wide = '\u{1F6A2}'.repeat(120);
    await send(undefined, { ...aMessage, title: `${wide} shared an organization with you`, body: wide });
    expect(service.received[0]?.body.length).toBeLessThan(4_096);
  });

  it.each([
    [200, 'sent'],
    [202, 'sent'],
    [404, 'gone'],
    [410, 'gone'],
  ])('%i: %s', async (status, outcome) => {
    service.answers.push({ status });
    expect(await send()).toBe(outcome);
  });

  it.each([400, 401, 403, 413, 301, 307])(
    '%i: refused for ever, and redirects are not followed',
    async (status) => {
      service.answers.push({ status, headers: { Location: `${service.origin}/other` } });
      await expect(send()).rejects.toBeInstanceOf(PushRefused);
      expect(service.received).toHaveLength(1);
    },
  );

  it.each([408, 429, 500, 503])('%i: may be sent later', async (status) => {
    service.answers.push({ status });
    const error = await send().catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(PushRefused);
  });

  it('waits for no end of a response, and not for ever for its beginning', async () => {
    service.answers.push({ status: 201, endless: true }, { status: 201, silent: true });
    expect(await send()).toBe('sent');
    await expect(send(undefined, aMessage, AbortSignal.timeout(200))).rejects.toThrow(/abort|timeout/i);
  });

  it('an endpoint that is not public is gone, and nothing is sent there', async () => {
    const internet = webPush(vapid, publicRequest());
    for (const endpoint of [`${service.origin}/x`, 'https://127.0.0.1/x', 'https://localhost/x']) {
      const { subscription } = webSubscription(endpoint);
      expect(await internet.send(JSON.stringify(subscription), aMessage, soon())).toBe('gone');
    }
    expect(service.received.map(({ path }) => path)).not.toContain('/x');
  });

  it('a failed connection may be sent later, and its error names no path', async () => {
    const { subscription } = webSubscription(
      `${service.origin.replace('push.example', 'other.example')}/secret`,
    );
    const error = await send(JSON.stringify(subscription)).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(Error);
    expect(`${(error as Error).stack}`).not.toContain('secret');
  });
});
