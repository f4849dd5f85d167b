import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '#shared/config.ts';
import { type Letter, MailRefused } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { sendMail } from '#shared/providers/outgoing-mail/sender.ts';
import type { Services } from '#shared/services.ts';
import { letter } from '../../support/outgoing-mail.ts';

/** docs/decisions/0060-mail-that-the-service-sends.md */
describe('mail by SES', () => {
  let server: Server;
  let heard: { method: string | undefined; path: string | undefined; body: Record<string, unknown> }[];
  let response: { status: number; type?: string; message?: string };
  beforeAll(async () => {
    server = createServer((request, reply) => {
      void text(request).then((body) => {
        heard.push({ method: request.method, path: request.url, body: JSON.parse(body) });
        const { status, type, message } = response;
        reply.writeHead(status, {
          'Content-Type': 'application/json',
          ...(type ? { 'x-amzn-errortype': type } : {}),
        });
        reply.end(JSON.stringify(type ? { message } : { MessageId: 'm1' }));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    heard = [];
    response = { status: 200 };
  });
  afterAll(() => server.close());

  const send = (
    changed: Partial<Letter> = {},
    from = 'Acme <hello@acme.example>',
    signal = AbortSignal.timeout(5_000),
  ) => {
    const { port } = server.address() as AddressInfo;
    const config = readConfig({
      MAIL_PROVIDER: 'ses',
      MAIL_FROM: from,
      SES_ENDPOINT: `http://127.0.0.1:${port}`,
    });
    return sendMail({ config } as Services, { ...letter, ...changed }, signal);
  };

  it('says where a POST ends it, if anybody may', async () => {
    await send({ unsubscribe_url: 'https://api.acme.example/unsubscriptions?token=A' });
    expect(heard[0]?.body).toMatchObject({
      Content: {
        Simple: {
          Headers: [
            { Name: 'Auto-Submitted', Value: 'auto-generated' },
            { Name: 'List-Unsubscribe', Value: '<https://api.acme.example/unsubscriptions?token=A>' },
            { Name: 'List-Unsubscribe-Post', Value: 'List-Unsubscribe=One-Click' },
          ],
        },
      },
    });
  });

  it('is a SendEmail of the API, not raw, which no robot answers', async () => {
    await send();
    const content = (Data: string) => ({ Data, Charset: 'UTF-8' });
    expect(heard).toEqual([
      {
        method: 'POST',
        path: '/v2/email/outbound-emails',
        body: {
          FromEmailAddress: '"Acme" <hello@acme.example>',
          Destination: { ToAddresses: ['ada@acme.example'] },
          Content: {
            Simple: {
              Subject: content('Zoë invites you'),
              Body: { Text: content(letter.text), Html: content(letter.html) },
              Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
            },
          },
        },
      },
    ]);
  });

  it('writes names in ASCII, and domains as the mail system does', async () => {
    await send({ to: 'ada@bücher.example' }, 'Café für alle Menschen <hello@acme.example>');
    const { FromEmailAddress, Destination } = (heard[0]?.body ?? {}) as Record<string, string>;
    expect(FromEmailAddress).toMatch(/^(=\?UTF-8\?B\?[\w+/=]+\?= )+<hello@acme\.example>$/);
    const words = [...(FromEmailAddress ?? '').matchAll(/\?B\?([^?]+)/g)].map(([, word]) => `${word}`);
    expect(words.map((word) => Buffer.from(word, 'base64').toString()).join('')).toBe(
      'Café für alle Menschen',
    );
    expect(Destination).toEqual({ ToAddresses: ['ada@xn--bcher-kva.example'] });
  });

  it.each([
    ['BadRequestException', 400, 'Illegal address', true],
    ['MessageRejected', 400, 'Email content is not allowed', true],
    ['MessageRejected', 400, 'Email address is not verified: ada@acme.example', false],
    ['AccountSuspendedException', 400, 'suspended', false],
    ['SendingPausedException', 400, 'paused', false],
    ['MailFromDomainNotVerifiedException', 400, 'not verified', false],
    ['TooManyRequestsException', 429, 'Maximum sending rate exceeded', false],
    ['LimitExceededException', 400, 'quota', false],
    ['AccessDeniedException', 403, 'ada@acme.example', false],
    ['InternalFailure', 500, 'oops', false],
  ])('%s (%i, "%s") is final: %s', async (type, status, message, final) => {
    response = { status, type, message };
    const error = await send().then(
      () => expect.fail('it was sent'),
      (failure: Error) => failure,
    );
    expect(error instanceof MailRefused).toBe(final);
    expect(error.message).toContain(type);
    expect(`${error.message}${error.stack}${error.cause}`).not.toContain('ada@');
    // The queue tries again, not the client.
    expect(heard).toHaveLength(1);
  });

  it('fails for another try when the call fails', async () => {
    const ses = mockClient(SESv2Client).on(SendEmailCommand).rejects(new Error('socket hang up'));
    await expect(send()).rejects.not.toBeInstanceOf(MailRefused);
    ses.restore();
    await expect(send({}, undefined, AbortSignal.abort())).rejects.not.toBeInstanceOf(MailRefused);
  });

  it.each([
    [{}, /sends no mail/],
    [{ MAIL_PROVIDER: 'ses' }, /needs MAIL_FROM/],
    [{ MAIL_FROM: 'hello@acme.example' }, /says nothing/],
    [{ MAIL_PROVIDER: 'smtp', MAIL_FROM: 'hello@acme.example' }, /MAIL_SMTP_URL must be/],
    [{ MAIL_SMTP_URL: 'http://x:secret-pw@y', MAIL_FROM: 'hello@acme.example' }, /MAIL_SMTP_URL must be/],
    [{ MAIL_PROVIDER: 'outbox', MAIL_FROM: 'hello@acme.example' }, /needs MAIL_OUTBOX/],
    [{ MAIL_PROVIDER: 'ses', MAIL_FROM: 'Acme' }, /must be an address/],
    [{ MAIL_PROVIDER: 'ses', MAIL_FROM: 'Acme <hello@acme.example' }, /must be an address/],
    [{ MAIL_PROVIDER: 'ses', MAIL_FROM: 'A\r\nBcc: x <hello@acme.example>' }, /must be an address/],
  ])('says what is missing: %j', async (env, message) => {
    const sent = sendMail({ config: readConfig(env) } as Services, letter, AbortSignal.timeout(1_000));
    await expect(sent).rejects.toThrow(message);
    await sent.catch((error) => expect(error.message).not.toContain('secret-pw'));
  });

  it('knows no other way', () => {
    expect(() => readConfig({ MAIL_PROVIDER: 'pigeon' })).toThrow(/must be one of none, outbox, ses, smtp/);
  });
});
