import { Readable } from 'node:stream';
import { domainToASCII } from 'node:url';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import {
  DeliveryUnknown,
  MessageRefused,
  RecipientsRefused,
  ServerUnreachable,
} from '#shared/domain/mail/servers/failures.ts';
import type {
  Envelope,
  MailServers,
  MailTransport,
  ServerLogin,
} from '#shared/domain/mail/servers/server.ts';
import { ANSWER_TIME, addressesOf, atFirst, CONNECT_TIME, type Reach, tlsOptions } from './reach.ts';
import { SmtpConnection, type SmtpFailure } from './smtp-connection.ts';
import { failureToOpen, failureToSend } from './smtp-failures.ts';

/** Sending by SMTP (RFC 5321, RFC 6409). */

/** Milliseconds after the end of a message (RFC 5321, 4.5.3.2.6). */
const AFTER_DATA = 10 * 60_000;
/** Milliseconds: some servers keep senders waiting for each recipient. */
const A_RECIPIENT = 2_000;
const GOODBYE = 2_000;
/** Bytes. */
const MOST_SAID = 64 << 10;
const PART = 64 << 10;

/** Rejects when the time is up, the server went, or nobody wants the answer any more. `more` starts the time anew. */
function atMost<T>(
  connection: SmtpConnection,
  signal: AbortSignal,
  milliseconds: number,
  work: (done: (error: unknown, result: T) => void, more: (milliseconds: number) => void) => void,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const end = () => {
    reject({ code: 'ETIMEDOUT' } satisfies SmtpFailure);
    connection.close();
  };
  let timer = setTimeout(end, milliseconds);
  const more = (time: number) => {
    clearTimeout(timer);
    timer = setTimeout(end, time);
  };
  signal.addEventListener('abort', end, { once: true });
  connection.once('error', reject);
  if (signal.aborted) end();
  else work((error, result) => (error ? reject(error) : resolve(result)), more);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    connection.off('error', reject);
  });
}

/** A name that servers do not know: nodemailer would try a token as a password where they know XOAUTH2 and PLAIN. */
const BY_TOKEN = 'TOKEN';

function connectionTo({ host, port, tls }: ServerLogin, address: string, reach: Reach): SmtpConnection {
  const connection = new SmtpConnection({
    ...{ host: address, servername: host, port, secure: tls, tls: tlsOptions(reach) },
    // Without it, nodemailer uses STARTTLS where it is offered.
    requireTLS: !tls && !reach.private_hosts,
    ...{ connectionTimeout: CONNECT_TIME, greetingTimeout: CONNECT_TIME, socketTimeout: AFTER_DATA },
    ...{ maxResponseSize: MOST_SAID, logger: false, name: '[127.0.0.1]' },
    customAuth: { [BY_TOKEN]: xoauth2 },
  });
  // Whoever waits is told; a connection that waits for nothing may end.
  connection.on('error', () => {});
  return connection;
}

/** https://developers.google.com/workspace/gmail/imap/xoauth2-protocol: 334 with a reason is a refusal. */
async function xoauth2({ auth, sendCommand }: SMTPConnection.CustomAuthenticationContext): Promise<void> {
  const token = Buffer.from(`user=${auth.user}\x01auth=Bearer ${auth.pass}\x01\x01`).toString('base64');
  let { status } = await sendCommand(`AUTH XOAUTH2 ${token}`);
  if (status === 334) ({ status } = await sendCommand(''));
  if (status !== 235) throw new Error('The token is refused');
}

const authOf = ({ username, secret }: ServerLogin): SMTPConnection.AuthenticationType =>
  'password' in secret
    ? { user: username, pass: secret.password }
    : { method: BY_TOKEN, user: username, pass: secret.access_token };

async function connect(connection: SmtpConnection, login: ServerLogin, signal: AbortSignal): Promise<void> {
  try {
    await atMost<unknown>(connection, signal, 2 * CONNECT_TIME, (done) =>
      connection.connect((error) => done(error, undefined)),
    );
    await atMost<unknown>(connection, signal, ANSWER_TIME, (done) => connection.login(authOf(login), done));
  } catch (error) {
    connection.close();
    throw failureToOpen(error);
  }
}

/** Names of hosts are ASCII for every server; what stands before the @ needs SMTPUTF8 (RFC 6531). */
function asciiHost(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at));
}

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

/** As the server must be told them. */
function requireAddresses({ extensions }: SmtpConnection, { from, to }: Envelope): Envelope {
  const envelope = { from: asciiHost(from), to: to.map(asciiHost) };
  if (extensions.includes('SMTPUTF8')) return envelope;
  const foreign = to.filter((_, i) => !isAscii(envelope.to[i] as string));
  if (foreign.length > 0) throw new RecipientsRefused(foreign, true);
  if (!isAscii(envelope.from)) throw new MessageRefused('The server cannot send from this address');
  return envelope;
}

function* partsOf(raw: Uint8Array) {
  for (let at = 0; at < raw.length; at += PART) yield Buffer.from(raw.subarray(at, at + PART));
}

/** Those that were refused, as they were asked for. */
function inOwnWords(error: Error, asked: Envelope, told: Envelope): Error {
  if (!(error instanceof RecipientsRefused)) return error;
  const named = asked.to.filter((_, i) => error.addresses.includes(told.to[i] as string));
  return new RecipientsRefused(named, error.permanent);
}

async function send(
  connection: SmtpConnection,
  asked: Envelope,
  raw: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const envelope = requireAddresses(connection, asked);
  const source = Readable.from(partsOf(raw), { objectMode: false });
  let complete = false;
  const time = ANSWER_TIME + asked.to.length * A_RECIPIENT;
  try {
    await atMost<unknown>(connection, signal, time, (done, more) => {
      source.once('resume', () => more(AFTER_DATA));
      source.once('end', () => {
        complete = true;
        more(AFTER_DATA);
      });
      const use8BitMime = raw.some((byte) => byte > 127);
      connection.send({ ...envelope, to: [...envelope.to], size: raw.length, use8BitMime }, source, done);
    });
  } catch (error) {
    source.destroy();
    if (complete && !(error as SmtpFailure).responseCode)
      throw new DeliveryUnknown('The server did not say whether it took the message');
    throw inOwnWords(failureToSend(error), asked, envelope);
  }
}

/** The server forgets a message that it does not get. */
async function forget(connection: SmtpConnection, signal: AbortSignal): Promise<void> {
  if (connection.destroyed) return;
  await atMost<unknown>(connection, signal, CONNECT_TIME, (done) => connection.reset(done)).catch(() =>
    connection.close(),
  );
}

function transportOf(connection: SmtpConnection, signal: AbortSignal): MailTransport {
  return {
    async send(envelope, raw) {
      if (connection.destroyed) throw new ServerUnreachable('The connection to the SMTP server is lost');
      try {
        await send(connection, envelope, raw, signal);
      } catch (error) {
        await forget(connection, signal);
        throw error;
      }
    },
    async close() {
      if (connection.destroyed) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => connection.close(), GOODBYE);
      connection.once('end', resolve);
      connection.quit();
      await promise;
      clearTimeout(timer);
    },
  };
}

export const openTransport =
  (reach: Reach): MailServers['openTransport'] =>
  async (login, signal) => {
    const addresses = await addressesOf(login, 'smtp', reach);
    return atFirst(addresses, async (address) => {
      signal.throwIfAborted();
      const connection = connectionTo(login, address, reach);
      await connect(connection, login, signal);
      return transportOf(connection, signal);
    });
  };
