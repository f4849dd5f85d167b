import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A real SMTP server that keeps what it takes. */
export interface SmtpSink {
  url: string;
  taken: { from: string; to: string[]; raw: string; mail: Email }[];
  /** Lets the process end while it serves. */
  unref(): void;
  stop(): Promise<void>;
}

/** An error with a reply of SMTP. */
export const reply = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

export async function startSmtpSink(options: SMTPServerOptions = {}, user = ''): Promise<SmtpSink> {
  const taken: SmtpSink['taken'] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      buffer(stream).then(async (bytes) => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        const to = envelope.rcptTo.map(({ address }) => address);
        taken.push({ from, to, raw: bytes.toString('utf8'), mail: await PostalMime.parse(bytes) });
        done(null);
      }, done);
    },
    ...options,
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `${options.secure ? 'smtps' : 'smtp'}://${user}127.0.0.1:${port}`,
    taken,
    unref: () => void server.server.unref(),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
