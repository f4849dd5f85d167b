import { jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PushRefused } from '#shared/domain/collaboration/notifications/push/service.ts';
import { applePush } from '#shared/providers/push/apns.ts';
import { aMessage, apple, appleKey, soon } from '../../support/push-keys.ts';
import { startApns } from '../../support/push-servers.ts';

describe('APNs', () => {
  let server: Awaited<ReturnType<typeof startApns>>;
  let now = Date.now();
  let push: ReturnType<typeof applePush>;
  beforeAll(async () => {
    server = await startApns();
    const keys = { key: appleKey, key_id: 'KEY1234567', team_id: 'TEAM123456', topic: 'example.acme.app' };
    push = applePush({ ...keys, url: server.url }, () => now);
  });
  beforeEach(() => {
    server.received.length = 0;
    server.answers.length = 0;
  });
  afterAll(() => server?.close());

  const send = (signal = soon()) => push.send('ab12', aMessage, signal);
  const failing = (status: number, reason: string) => {
    server.answers.push({ status, body: JSON.stringify({ reason }) });
  };
  const bearers = () =>
    server.received.map(({ headers }) => `${headers.authorization}`.slice('bearer '.length));

  it('sends an alert with a token that Apple can check', async () => {
    expect(await send()).toBe('sent');
    const [{ path, headers, body }] = server.received as [(typeof server.received)[number]];
    expect([path, headers[':method']]).toEqual(['/3/device/ab12', 'POST']);
    expect(headers).toMatchObject({
      ...{ 'apns-topic': 'example.acme.app', 'apns-push-type': 'alert', 'apns-priority': '10' },
      ...{ 'apns-collapse-id': aMessage.notification_id },
      'apns-expiration': String(Math.floor(now / 1_000) + 86_400),
    });
    const { title, body: text, ...data } = aMessage;
    expect(JSON.parse(body.toString())).toEqual({
      aps: { alert: { title, body: text }, sound: 'default' },
      ...data,
    });
    const { payload, protectedHeader } = await jwtVerify(bearers()[0] ?? '', apple.publicKey);
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'KEY1234567' });
    expect(payload).toEqual({ iss: 'TEAM123456', iat: Math.floor(now / 1_000) });
  });

  it('uses one connection and one token, a new token after 40 minutes or when Apple says so', async () => {
    await Promise.all([send(), send(), send()]);
    expect([server.sessions(), new Set(bearers()).size]).toEqual([1, 1]);
    now += 41 * 60_000;
    await send();
    expect(new Set(bearers()).size).toBe(2);
    failing(403, 'ExpiredProviderToken');
    now += 1_000;
    await expect(send()).rejects.not.toBeInstanceOf(PushRefused);
    await send();
    expect(new Set(bearers()).size).toBe(3);
  });

  it('connects again after the connection is lost', async () => {
    await send();
    server.cut();
    const outcome = await send().catch(() => 'later');
    expect(['sent', 'later']).toContain(outcome);
    expect(await send()).toBe('sent');
  });

  it.each([
    [400, 'BadDeviceToken'],
    [400, 'DeviceTokenNotForTopic'],
    [410, 'Unregistered'],
    [410, 'ExpiredToken'],
  ])('%i %s: gone', async (status, reason) => {
    failing(status, reason);
    expect(await send()).toBe('gone');
  });

  it.each([
    [400, 'BadTopic', true],
    [403, 'InvalidProviderToken', true],
    [413, 'PayloadTooLarge', true],
    [429, 'TooManyRequests', false],
    [500, 'InternalServerError', false],
    [503, 'Shutdown', false],
  ])('%i %s: refused for ever is %s', async (status, reason, final) => {
    failing(status, reason);
    const error = await send().catch((failure: unknown) => failure);
    expect(error).toMatchObject({ message: `APNs: HTTP ${status} ${reason}` });
    expect(error instanceof PushRefused).toBe(final);
  });

  it('does not wait for ever', async () => {
    server.answers.push({ status: 200, silent: true });
    await expect(send(AbortSignal.timeout(200))).rejects.toThrow();
    expect(await send()).toBe('sent');
  });
});
