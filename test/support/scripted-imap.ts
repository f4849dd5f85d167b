import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** An IMAP server that says what it is told to, also what no server should. */

export interface Said {
  tag: string;
  /** In capitals, `UID` included. */
  command: string;
  rest: string;
  socket: Socket;
}

/** Lines, of which the last completes the command; undefined for what every server says. */
export type Answer = (said: Said) => string[] | undefined;

export interface ScriptedImap {
  port: number;
  /** Commands without their tags. */
  heard: string[];
  answer: Answer;
  greeting: string;
  capabilities: string;
  /** Lets the process end while it serves. */
  unref(): void;
  stop(): Promise<void>;
}

const OPENED = ['* 3 EXISTS', '* OK [UIDVALIDITY 7] Valid', '* OK [UIDNEXT 10] Next'];

function usual({ command }: Said, { capabilities }: ScriptedImap): string[] {
  if (command === 'CAPABILITY') return [`* CAPABILITY ${capabilities}`, 'OK Done'];
  if (command === 'SELECT')
    return [...OPENED, '* OK [PERMANENTFLAGS (\\Seen \\Deleted \\*)] Kept', 'OK [READ-WRITE] Done'];
  if (command === 'EXAMINE') return [...OPENED, '* OK [PERMANENTFLAGS ()] None', 'OK [READ-ONLY] Done'];
  if (command === 'LIST') return ['* LIST () "/" INBOX', 'OK Done'];
  if (command === 'LOGOUT') return ['* BYE Goodbye', 'OK Done'];
  return ['OK Done'];
}

function hear(line: string, socket: Socket, server: ScriptedImap): void {
  const [tag = '', first = '', ...others] = line.split(' ');
  const isUid = first.toUpperCase() === 'UID';
  const command = isUid ? `UID ${others[0]?.toUpperCase()}` : first.toUpperCase();
  const said = { tag, command, rest: others.slice(isUid ? 1 : 0).join(' '), socket };
  server.heard.push(line.slice(tag.length + 1));
  const answer = server.answer(said);
  const lines = answer ?? usual(said, server);
  const last = lines.pop();
  if (last !== undefined) socket.write([...lines, `${tag} ${last}`].map((each) => `${each}\r\n`).join(''));
}

export async function startScriptedImap(): Promise<ScriptedImap> {
  const sockets = new Set<Socket>();
  const listening = createServer((socket) => {
    let rest = '';
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write(`${server.greeting}\r\n`);
    socket.on('data', (data) => {
      const lines = (rest + data.toString()).split('\r\n');
      rest = lines.pop() as string;
      for (const line of lines) hear(line, socket, server);
    });
  }).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const server: ScriptedImap = {
    port: (listening.address() as AddressInfo).port,
    heard: [],
    answer: () => undefined,
    greeting: '* OK Ready',
    capabilities: 'IMAP4rev1',
    unref: () => void listening.unref(),
    async stop() {
      for (const socket of sockets) socket.destroy();
      listening.close();
      await once(listening, 'close');
    },
  };
  return server;
}
