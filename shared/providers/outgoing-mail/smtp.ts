import { createTransport } from 'nodemailer';
import { type Letter, MailRefused } from '#shared/domain/platform/outgoing-mail/mail.ts';
import { isLoopback } from '#shared/loopback.ts';
import { messageOf } from './message.ts';

/** Any SMTP server. */

/** Milliseconds, together shorter than a try may take. */
const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};

/** TLS from the start, or by STARTTLS, without which nothing is sent, except to this machine. */
function transportTo(address: string) {
  const url = new URL(address);
  const { protocol, hostname, port, username, password } = url;
  const secure = protocol === 'smtps:';
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !isLoopback(url),
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    ...TIMEOUTS,
  });
}

/** What nodemailer says about a failure: https://nodemailer.com/errors */
interface Failure {
  code?: string;
  responseCode?: number;
  command?: string;
}

/** A reply of 5xx to a recipient or to the message is final; to a password or a greeting it is the operator's fault. */
function isFinal({ code, responseCode = 0 }: Failure): boolean {
  return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
}

/** Without the server's words, which name the recipient or the password. */
function wordless({ code = 'unknown', responseCode, command = '' }: Failure): string {
  return `${code}${responseCode ? ` ${responseCode}` : ''}${command ? ` after ${command}` : ''}`;
}

/** The server may keep answering slowly, each answer within its time: nodemailer knows no limit for the whole. */
function atLatest(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(Object.assign(new Error(), { code: 'ETIMEDOUT' })), {
      once: true,
    });
  });
}

export async function sendBySmtp(
  letter: Letter,
  from: string,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  const transport = transportTo(url);
  try {
    await Promise.race([transport.sendMail(messageOf(letter, from)), atLatest(signal)]);
  } catch (error) {
    const said = wordless(error as Failure);
    if (isFinal(error as Failure)) throw new MailRefused(said);
    throw new Error(`The SMTP server did not take the mail: ${said}`);
  } finally {
    transport.close();
  }
}
