import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { certificate } from './certificate.ts';

/** An SMTP server that takes mail of signed-in users. It sends nothing anywhere: `deliver` has it. */

export interface Submitted {
  from: string;
  to: string[];
  raw: Buffer;
}

export interface SubmissionOptions {
  port: number;
  /** By user. */
  passwords: Readonly<Record<string, string>>;
  deliver(mail: Submitted): Promise<void>;
}

/** Bytes. */
const MOST = 36_700_160;

/** What an SMTP server answers to mail that it cannot take. */
const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

function take(deliver: SubmissionOptions['deliver']): NonNullable<SMTPServerOptions['onData']> {
  return (stream, { envelope }, done) => {
    const from = envelope.mailFrom ? envelope.mailFrom.address : '';
    const to = envelope.rcptTo.map(({ address }) => address);
    buffer(stream)
      .then(async (raw) => {
        if (stream.sizeExceeded) throw refusal(552, '5.3.4 The message is too large');
        await deliver({ from, to, raw });
      })
      .then(() => done(null), done);
  };
}

/** TLS from the first byte. */
export async function startSubmission(options: SubmissionOptions): Promise<() => Promise<void>> {
  const { port, passwords, deliver } = options;
  const server = new SMTPServer({
    ...certificate,
    secure: true,
    size: MOST,
    authMethods: ['PLAIN', 'LOGIN'],
    onAuth: ({ username = '', password }, _session, done) => {
      const right = password !== undefined && passwords[username] === password;
      done(
        right ? null : refusal(535, '5.7.8 Wrong user or password'),
        right ? { user: username } : undefined,
      );
    },
    onData: take(deliver),
  });
  // Of single connections.
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return () => new Promise((resolve) => server.close(() => resolve()));
}
