import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { certificate } from '../../infra/local/mail-server/certificate.ts';
import { Input } from '../support/imap/input.ts';

/** A client of IMAP without a library: sends what a test writes, and returns the lines of the answer. */
export interface RawImap {
  /** After a `{n+}` in the command, its literal follows. The last line ends the answer. */
  ask(command: string): Promise<string[]>;
  close(): void;
}

async function answerOf(input: Input, tag: string): Promise<string[]> {
  const lines: string[] = [];
  for (;;) {
    let line = await input.line();
    if (line === undefined) throw new Error(`The server ended: ${lines.join('\n')}`);
    for (let literal = /\{(\d+)\}$/.exec(line); literal; literal = /\{(\d+)\}$/.exec(line)) {
      const bytes = await input.bytes(Number(literal[1]));
      line = `${line.slice(0, literal.index)}<${bytes?.toString('latin1')}>${await input.line()}`;
    }
    lines.push(line);
    if (line.startsWith(`${tag} `) || line.startsWith('+')) return lines;
  }
}

export async function rawImap(port: number, tls: boolean): Promise<RawImap> {
  const options = { host: '127.0.0.1', port };
  const socket = tls ? connectTls({ ...options, ca: certificate.cert }) : connect(options);
  const input = new Input();
  socket.on('data', (chunk) => input.feed(chunk));
  socket.on('close', () => input.end());
  socket.on('error', () => {});
  await input.line();
  let count = 0;
  return {
    ask(command) {
      const tag = `A${++count}`;
      socket.write(Buffer.from(`${tag} ${command}\r\n`, 'latin1'));
      return answerOf(input, tag);
    },
    close: () => socket.destroy(),
  };
}
