import { createServer, type Server, type Socket } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import {
  DeliveryUnknown,
  HostRefused,
  LoginFailed,
  LoginRefused,
  MessageRefused,
  MessageTooLarge,
  RecipientsRefused,
  ServerUnreachable,
  Throttled,
} from '#shared/domain/mail/servers/failures.ts';
import type { MailTransport, ServerLogin } from '#shared/domain/mail/servers/server.ts';
import { mailServersAt } from '#shared/providers/mail/servers.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { certificate } from '../../support/certificate.ts';
import { reply, type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts';

/** A class of errors. */
type Kind = new (...given: never[]) => Error;

/** The port is in shared/domain/mail/servers/server.ts; test/mail has the same against a real server. */
describe('sending by SMTP', () => {
  let sink: SmtpSink | undefined;
  let scripted: Server | undefined;
  let transport: MailTransport | undefined;
  const stop = async () => {
    await transport?.close();
    await sink?.stop();
    scripted?.close();
    transport = sink = scripted = undefined;
  };
  afterEach(stop);

  const anyone: SMTPServerOptions = { onAuth: (_, __, done) => done(null, { user: 'ada' }) };
  const login: Omit<ServerLogin, 'port'> = {
    ...{ host: '127.0.0.1', tls: false, username: 'ada', secret: { password: 'secret words' } },
  };
  const portOf = ({ url }: SmtpSink) => Number(new URL(url).port);
  const openAt = async (
    port: number,
    changed: Partial<ServerLogin> = {},
    signal = AbortSignal.timeout(10_000),
  ) => {
    transport = await mailServersAt(true).openTransport({ ...login, port, ...changed }, signal);
    return transport;
  };
  const open = async (options: SMTPServerOptions = {}, changed?: Partial<ServerLogin>) => {
    sink = await startSmtpSink({ ...anyone, ...options });
    return openAt(portOf(sink), changed);
  };
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('it succeeded'),
      (error: Error) => error,
    );
  const from = 'ada@acme.example';
  const message = Buffer.from('Subject: One\r\n\r\nHello\r\n');
  const taken = () => sink?.taken.map(({ to, raw }) => ({ to, raw }));
  const refusing = (code: number, address: string): SMTPServerOptions => ({
    onRcptTo: (rcpt, _, done) =>
      done(rcpt.address === address ? reply(code, 'Hank does not work here') : null),
  });

  it('gives the message as it is to each recipient', async () => {
    const raw = Buffer.from(`Subject: Dots\r\n\r\n.\r\n..two\r\n.one\r\n${'x'.repeat(200_000)}\r\n.`);
    const { send } = await open();
    await send({ from, to: ['hank@other.example', 'grace@acme.example'] }, raw);
    await send({ from, to: ['grace@acme.example'] }, message);
    expect(taken()).toEqual([
      { to: ['hank@other.example', 'grace@acme.example'], raw: `${raw}\r\n` },
      { to: ['grace@acme.example'], raw: String(message) },
    ]);
  });

  it.each([
    [550, true],
    [553, true],
    [450, false],
    [552, false],
  ])('sends to nobody when one recipient is refused with %i', async (code, permanent) => {
    const { send } = await open(refusing(code, 'hank@acme.example'));
    const to = ['grace@acme.example', 'hank@acme.example', 'ida@acme.example'];
    const error = await failure(send({ from, to }, message));
    expect(error).toMatchObject({ addresses: ['hank@acme.example'], permanent });
    expect(error).toBeInstanceOf(RecipientsRefused);
    expect(error.message).not.toMatch(/work here/);
    expect(taken()).toEqual([]);
    await send({ from, to: ['grace@acme.example'] }, message);
    expect(taken()).toHaveLength(1);
  });

  it('comes back later when the server sends it away', async () => {
    const { send } = await open(refusing(421, 'hank@acme.example'));
    expect(await failure(send({ from, to: ['hank@acme.example'] }, message))).toBeInstanceOf(Throttled);
    expect(await failure(send({ from, to: ['hank@acme.example'] }, message))).toBeInstanceOf(
      ServerUnreachable,
    );
  });

  it('knows before it sends that a message is too large', async () => {
    const { send } = await open({ size: 20 });
    expect(await failure(send({ from, to: ['hank@acme.example'] }, message))).toBeInstanceOf(MessageTooLarge);
    expect(taken()).toEqual([]);
  });

  it.each<[number, string, Kind]>([
    [552, 'Too large', MessageTooLarge],
    [554, '5.3.4 Too large', MessageTooLarge],
    [554, '5.7.1 Spam', MessageRefused],
    [451, '4.3.0 Later', TryLater],
    [421, 'Goodbye', Throttled],
    [451, '4.7.1 Too many', Throttled],
  ])('says what %i %s means for a message', async (code, text, kind) => {
    const { send } = await open({
      onData: (stream, _, done) => stream.resume().once('end', () => done(reply(code, text))),
    });
    expect((await failure(send({ from, to: ['hank@acme.example'] }, message))).constructor).toBe(kind);
  });

  it.each<[string, number, string, Kind]>([
    ['refused', 535, '5.7.8 Wrong', LoginRefused],
    ['put off', 454, '4.7.0 Later', Throttled],
    ['sent away', 421, 'Too many', Throttled],
    ['not understood', 504, 'No such mechanism', LoginFailed],
  ])('says that a login is %s', async (_, code, text, kind) => {
    const error = await failure(open({ onAuth: (_auth, _session, done) => done(reply(code, text)) }));
    expect(error.constructor).toBe(kind);
    expect(error.message).not.toMatch(/Wrong|secret/);
  });

  it('signs in by tokens', async () => {
    const tokens: unknown[] = [];
    const options: SMTPServerOptions = {
      authMethods: ['PLAIN', 'XOAUTH2'],
      onAuth: ({ accessToken, username, password }, _, done) => {
        tokens.push([username, accessToken ?? password]);
        if (accessToken === 'good') done(null, { user: 'ada' });
        else done(null, { data: { status: '401' } });
      },
    };
    const { send } = await open(options, { secret: { access_token: 'good' } });
    await send({ from, to: ['hank@acme.example'] }, message);
    await stop();
    expect(await failure(open(options, { secret: { access_token: 'old' } }))).toBeInstanceOf(LoginRefused);
    expect(tokens).toEqual([
      ['ada', 'good'],
      ['ada', 'old'],
    ]);
  });

  it('writes names of hosts in ASCII, and other addresses only for servers that know them', async () => {
    const to = ['hank@bücher.example', 'zoë@acme.example'];
    const { send } = await open();
    await send({ from, to }, message);
    expect(taken()?.[0]?.to).toEqual(['hank@bücher.example', 'zoë@acme.example']);
    await stop();
    const other = await open({ hideSMTPUTF8: true });
    await other.send({ from, to: to.slice(0, 1) }, message);
    expect(await failure(other.send({ from, to }, message))).toMatchObject({
      addresses: ['zoë@acme.example'],
    });
    expect(await failure(other.send({ from: 'zoë@acme.example', to: [from] }, message))).toBeInstanceOf(
      MessageRefused,
    );
    expect(taken()).toHaveLength(1);
  });

  it('sends nothing that could be a command', async () => {
    const { send } = await open();
    const to = ['hank@acme.example>\r\nDATA', 'grace@acme.example'];
    expect(await failure(send({ from, to }, message))).toBeInstanceOf(MessageRefused);
    expect(taken()).toEqual([]);
  });

  /** Answers every line by the first of these that it begins with. */
  const script = async (answers: Record<string, string | ((socket: Socket) => void)>): Promise<number> => {
    scripted = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('220 Ready\r\n');
      socket.on('data', (data) => {
        for (const line of data.toString().split('\r\n').slice(0, -1)) {
          const [, answer] = Object.entries(answers).find(([start]) => line.startsWith(start)) ?? [];
          if (typeof answer === 'string') socket.write(`${answer}\r\n`);
          else answer?.(socket);
        }
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => scripted?.once('listening', resolve));
    return (scripted.address() as { port: number }).port;
  };
  const usual = {
    EHLO: '250-Hello\r\n250 AUTH PLAIN',
    AUTH: '235 In',
    MAIL: '250 OK',
    RCPT: '250 OK',
    DATA: '354 Go',
    QUIT: (socket: Socket) => void socket.end('221 Goodbye\r\n'),
  };
  const ends = (socket: Socket) => void socket.destroy();

  it.each<[string, Parameters<typeof script>[0], Kind]>([
    ['after the message', { '.': ends }, DeliveryUnknown],
    ['instead of taking the message', { DATA: ends }, ServerUnreachable],
    ['with the last recipient', { RCPT: ends }, ServerUnreachable],
  ])('knows what may have been delivered when the connection ends %s', async (_, answers, kind) => {
    const { send } = await openAt(await script({ ...usual, ...answers }));
    expect(await failure(send({ from, to: ['hank@acme.example'] }, message))).toBeInstanceOf(kind);
  });

  it('does not know what was delivered when nobody waits for the answer', async () => {
    const waiting = new AbortController();
    const port = await script({ ...usual, '.': () => waiting.abort() });
    const { send } = await openAt(port, {}, waiting.signal);
    expect(await failure(send({ from, to: ['hank@acme.example'] }, message))).toBeInstanceOf(DeliveryUnknown);
  });

  describe('to servers that anybody may run', () => {
    const at = (
      port: number,
      addresses: string[],
      isPublic = (address: string) => address === '127.0.0.1',
    ) => {
      const asked: string[] = [];
      const resolve = async (host: string) => {
        asked.push(host);
        return addresses.map((address) => ({ address, family: 4 }));
      };
      const outside = { resolve, isPublic, ports: { imap: [port], smtp: [port] }, ca: certificate.cert };
      return { asked, servers: mailServersAt(false, outside) };
    };
    const tls = (options: SMTPServerOptions = {}) => ({
      ...anyone,
      ...certificate,
      disabledCommands: [],
      ...options,
    });
    const connectTo = async (options: SMTPServerOptions, changed: Partial<ServerLogin> = {}) => {
      sink = await startSmtpSink(options);
      const { servers, asked } = at(portOf(sink), ['127.0.0.1']);
      const known = { ...login, host: 'push.example', port: portOf(sink), ...changed };
      transport = await servers.openTransport(known, AbortSignal.timeout(5_000));
      return { send: transport.send, asked };
    };

    it.each([true, false])(
      'sends under TLS (from the first byte: %s), to the address that was checked',
      async (secure) => {
        const { send, asked } = await connectTo(tls({ secure }), { tls: secure });
        await send({ from, to: ['hank@acme.example'] }, message);
        expect(taken()).toHaveLength(1);
        expect(asked).toEqual(['push.example']);
      },
    );

    it.each<[string, SMTPServerOptions, Partial<ServerLogin>]>([
      ['without TLS', anyone, {}],
      ['without TLS, where TLS comes first', anyone, { tls: true }],
      ['with a certificate of another name', tls({ secure: true }), { tls: true, host: 'other.example' }],
      ['with a certificate of another name after STARTTLS', tls(), { host: 'other.example' }],
    ])('tells a server %s no password', async (_, options, changed) => {
      const onAuth = () => expect.fail('the password was sent');
      expect(await failure(connectTo({ ...options, onAuth }, changed))).toBeInstanceOf(ServerUnreachable);
    });

    it.each([
      ['private', ['10.0.0.1']],
      ['first public and then private', ['127.0.0.1', '10.0.0.1']],
      ['none', []],
    ])('connects to no host whose addresses are %s', async (_, addresses) => {
      const { servers } = at(25, addresses);
      const opening = (protocol: 'openStore' | 'openTransport') =>
        servers[protocol]({ ...login, host: 'mail.example', port: 25 }, AbortSignal.timeout(1_000));
      expect(await failure(opening('openStore'))).toBeInstanceOf(HostRefused);
      expect(await failure(opening('openTransport'))).toBeInstanceOf(HostRefused);
    });

    it.each([
      ...['127.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', 'fd00::1'],
      ...['2130706433', '0x7f000001', '0177.0.0.1', '127.1', 'localhost', '0.0.0.0'],
    ])('never connects to %s', async (host) => {
      const opening = mailServersAt(false).openTransport(
        { ...login, host, port: 587 },
        AbortSignal.timeout(1_000),
      );
      expect(await failure(opening)).toBeInstanceOf(HostRefused);
    });

    it.each([
      ['openStore', 25],
      ['openStore', 465],
      ['openTransport', 993],
      ['openTransport', 9001],
    ] as const)('%s never connects to port %i', async (protocol, port) => {
      const opening = mailServersAt(false)[protocol](
        { ...login, host: 'a.example', port },
        AbortSignal.timeout(1_000),
      );
      expect(await failure(opening)).toBeInstanceOf(HostRefused);
    });
  });
});
