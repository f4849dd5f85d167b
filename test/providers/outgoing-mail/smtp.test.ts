import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '#shared/config.ts';
import type { Letter } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { MailRefused } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { sendMail } from '#shared/providers/outgoing-mail/sender.ts';
import type { Services } from '#shared/services.ts';
import { letter } from '../../support/outgoing-mail.ts';
import { reply, type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts';

/** docs/decisions/0060-mail-that-the-service-sends.md */
describe('mail by SMTP', () => {
  let sink: SmtpSink | undefined;
  afterEach(() => sink?.stop());

  const send = (url: string, changed: Partial<Letter> = {}, from = 'Café, Acme <hello@acme.example>') => {
    const config = readConfig({ MAIL_SMTP_URL: url, MAIL_FROM: from });
    const services = { config, clock: () => new Date() } as Services;
    return sendMail(services, { ...letter, ...changed }, AbortSignal.timeout(5_000));
  };
  const failure = (url: string, changed?: Partial<Letter>) =>
    send(url, changed).then(
      () => expect.fail('it was sent'),
      (error: Error) => error,
    );

  it('is one message with text and HTML, which no robot answers', async () => {
    sink = await startSmtpSink();
    await send(sink.url);
    const [{ from, to, mail, raw } = expect.fail('nothing came')] = sink.taken;
    expect([from, to]).toEqual(['hello@acme.example', ['ada@acme.example']]);
    expect(mail).toMatchObject({
      from: { name: 'Café, Acme', address: 'hello@acme.example' },
      subject: 'Zoë invites you',
      messageId: expect.stringMatching(/^<[\w-]+@acme\.example>$/),
      html: expect.stringContaining('<p>012345</p>'),
    });
    expect(mail.text?.split('\n')).toContain('012345');
    expect(Date.now() - Date.parse(mail.date as string)).toBeLessThan(60_000);
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  });

  it('says where a POST ends it, if anybody may', async () => {
    sink = await startSmtpSink();
    const unsubscribe_url = `https://api.acme.example/unsubscriptions?token=${'A'.repeat(86)}`;
    await send(sink.url, { unsubscribe_url });
    await send(sink.url);
    const headers = sink.taken.map(({ mail }) =>
      mail.headers.flatMap(({ key, value }) => (key.startsWith('list-') ? [[key, value]] : [])),
    );
    expect(headers).toEqual([
      [
        ['list-unsubscribe', `<${unsubscribe_url}>`],
        ['list-unsubscribe-post', 'List-Unsubscribe=One-Click'],
      ],
      [],
    ]);
  });

  it('signs in with user and password of the address, decoded', async () => {
    const signed: unknown[] = [];
    sink = await startSmtpSink(
      {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: ({ username, password }, _, done) => {
          signed.push([username, password]);
          done(null, { user: username });
        },
      },
      'ada%40acme:p%2Fw@',
    );
    await send(sink.url);
    expect(signed).toEqual([['ada@acme', 'p/w']]);
  });

  it.each([
    ['a comma', 'ada@acme.example,eve@evil.example'],
    ['a line end', 'ada@acme.example\r\nRCPT TO:<eve@evil.example>'],
    ['a bracket', 'ada@acme.example> <eve@evil.example'],
  ])('reaches nobody else: an address with %s', async (_, to) => {
    sink = await startSmtpSink();
    await send(sink.url, { to }).catch(() => {});
    expect(sink.taken.flatMap((each) => each.to)).not.toContain('eve@evil.example');
    expect(sink.taken.flatMap((each) => each.mail.to ?? [])).not.toContainEqual(
      expect.objectContaining({ address: 'eve@evil.example' }),
    );
  });

  it('has no header that a subject brings', async () => {
    sink = await startSmtpSink();
    await send(sink.url, { subject: 'Hello\r\nBcc: eve@evil.example\r\n\r\nBody' });
    const [{ mail, to } = expect.fail('nothing came')] = sink.taken;
    expect([mail.bcc, to]).toEqual([undefined, ['ada@acme.example']]);
    expect(mail.text).toContain('012345');
  });

  it.each([
    ['no such recipient', 550, true],
    ['a full mailbox', 452, false],
  ])('%s is %i: final is %s', async (_, code, final) => {
    sink = await startSmtpSink({
      onRcptTo: (__, ___, done) => done(reply(code, 'ada@acme.example is away')),
    });
    const error = await failure(sink.url);
    expect(error instanceof MailRefused).toBe(final);
    expect(error.message).toContain(String(code));
    expect(JSON.stringify([error.message, error.cause])).not.toContain('ada');
  });

  it('a message that the server does not like is final, a wrong password is not', async () => {
    sink = await startSmtpSink({
      onData: (stream, _, done) => {
        stream.resume();
        stream.once('end', () => done(reply(554, 'spam')));
      },
    });
    expect(await failure(sink.url)).toBeInstanceOf(MailRefused);
    await sink.stop();
    sink = await startSmtpSink(
      {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: (_, __, done) => done(reply(535, 'wrong: secret-pw')),
      },
      'ada:secret-pw@',
    );
    const error = await failure(sink.url);
    expect(error).not.toBeInstanceOf(MailRefused);
    expect(error.message).toContain('EAUTH 535');
    expect(`${error.stack}${error.cause}`).not.toContain('secret-pw');
  });

  it('goes over TLS, which the certificate must fit', async () => {
    // smtp-server brings a certificate of its own that nobody signed, and warns of it.
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    sink = await startSmtpSink({ secure: true });
    warned.mockRestore();
    expect((await failure(sink.url)).message).toMatch(/ETLS|ESOCKET|ECONNECTION/);
    expect(sink.taken).toEqual([]);
  });

  it('another try may help when nobody listens, answers or keeps the connection', async () => {
    const closed = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await Promise.all([once(closed, 'listening'), once(silent, 'listening')]);
    const urlOf = (server: typeof closed) => `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const url of ['smtp://127.0.0.1:1', urlOf(closed)])
      expect(await failure(url)).not.toBeInstanceOf(MailRefused);
    const config = readConfig({ MAIL_SMTP_URL: urlOf(silent), MAIL_FROM: 'hello@acme.example' });
    const hurried = sendMail({ config } as Services, letter, AbortSignal.timeout(200));
    await expect(hurried).rejects.not.toBeInstanceOf(MailRefused);
    closed.close();
    silent.close();
  });
});
