import { jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PushRefused } from '#shared/domain/collaboration/notifications/push/service.ts';
import { googlePush } from '#shared/providers/push/fcm.ts';
import { aMessage, google, googleKey, soon } from '../../support/push-keys.ts';
import { startFcm } from '../../support/push-servers.ts';

describe('FCM', () => {
  let server: Awaited<ReturnType<typeof startFcm>>;
  let now = Date.now();
  let push: ReturnType<typeof googlePush>;
  beforeAll(async () => {
    server = await startFcm();
    const keys = { project_id: 'acme-app', client_email: 'push@acme.example', private_key: googleKey };
    push = googlePush({ ...keys, token_uri: `${server.url}/token`, url: server.url }, () => now);
  });
  beforeEach(() => {
    server.received.length = 0;
    server.answers.length = 0;
  });
  afterAll(() => server?.close());

  const send = (signal = soon()) => push.send('token-1', aMessage, signal);
  const used = () => server.received.map(({ headers }) => headers.authorization);

  it('exchanges a signed assertion for a token, and sends with it', async () => {
    expect(await send()).toBe('sent');
    const [{ path, body }] = server.received as [(typeof server.received)[number]];
    expect(path).toBe('/v1/projects/acme-app/messages:send');
    const { title, body: text, ...data } = aMessage;
    const tag = data.notification_id;
    expect(JSON.parse(body.toString())).toEqual({
      message: {
        token: 'token-1',
        notification: { title, body: text },
        data,
        android: { ttl: '86400s', collapse_key: tag, notification: { tag } },
      },
    });
    const { payload } = await jwtVerify(server.granted[0] ?? '', google.publicKey);
    expect(payload).toMatchObject({
      ...{ iss: 'push@acme.example', aud: `${server.url}/token` },
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
    });
  });

  it('keeps the token for its hour, and gets another one after a 401', async () => {
    await Promise.all([send(), send()]);
    expect(new Set(used())).toEqual(new Set(['Bearer access-1']));
    now += 3_600_000;
    await send();
    server.answers.push({ status: 401 });
    await expect(send()).rejects.not.toBeInstanceOf(PushRefused);
    await send();
    expect(used().slice(2)).toEqual(['Bearer access-2', 'Bearer access-2', 'Bearer access-3']);
  });

  const error = (status: string, detail: object) => JSON.stringify({ error: { status, details: [detail] } });
  it.each([
    [404, error('NOT_FOUND', { errorCode: 'UNREGISTERED' })],
    [400, error('INVALID_ARGUMENT', { fieldViolations: [{ field: 'message.token' }] })],
  ])('%i %s: gone', async (status, body) => {
    server.answers.push({ status, body });
    expect(await send()).toBe('gone');
  });

  it.each([
    [400, error('INVALID_ARGUMENT', { fieldViolations: [{ field: 'message.data' }] }), true],
    [403, error('PERMISSION_DENIED', { errorCode: 'SENDER_ID_MISMATCH' }), true],
    [404, 'not JSON', true],
    [302, '', false],
    [429, error('RESOURCE_EXHAUSTED', { errorCode: 'QUOTA_EXCEEDED' }), false],
    [503, '', false],
  ])('%i %s: refused for ever is %s', async (status, body, final) => {
    server.answers.push({ status, body });
    const failure = await send().catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(Error);
    expect(failure instanceof PushRefused).toBe(final);
  });

  it('does not wait for ever', async () => {
    server.answers.push({ status: 200, silent: true });
    await expect(send(AbortSignal.timeout(200))).rejects.toThrow();
  });
});
