import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { type Command, readCommand, type Token } from './command.ts';
import { folderCommands, type Handler } from './folder-commands.ts';
import { Input } from './input.ts';
import { messageCommands } from './message-commands.ts';
import { Session } from './session.ts';
import { signIn, type Users } from './sign-in.ts';

/** One connection: reads commands, and writes answers. */

/** What happens in place of a command: lines, and then the end of an answer (`NO [UNAVAILABLE] Later`), or no end at all. */
export interface Instead {
  lines?: string[];
  end?: string;
  /** The connection ends. */
  drop?: true;
}

export interface Served {
  users: Users;
  capabilities: ReadonlySet<string>;
  greeting: string;
  asked: string[];
  instead(command: Command): Instead | undefined;
  done(command: Command): 'drop' | undefined;
  wire(bytes: Buffer): Buffer;
  /** Bytes that may still be written to anyone. */
  cut_after: number;
  /** Bytes that are written each ten milliseconds. */
  pace: number;
  /** Of STARTTLS, which is then needed. */
  starttls: { cert: string; key: string } | undefined;
}

/** Milliseconds. */
const PACE = 10;
const IDLE_STEP = 20;

const shown = (token: Token): string => (Array.isArray(token) ? `(${token.map(shown).join(' ')})` : token);

/** Without secrets and contents. */
function lineOf({ name, args }: Command): string {
  if (name === 'LOGIN' || name === 'AUTHENTICATE') return name;
  return [name, ...(name === 'APPEND' ? args.slice(0, -1) : args).map(shown)].join(' ');
}

class Connection {
  readonly #served: Served;
  #socket: Socket;
  #secure: boolean;
  #session: Session;
  #written: Promise<void> = Promise.resolve();

  constructor(socket: Socket, served: Served) {
    this.#served = served;
    this.#socket = socket;
    this.#secure = socket instanceof TLSSocket;
    this.#session = this.#listen(socket);
  }

  #listen(socket: Socket): Session {
    const input = new Input();
    socket.on('data', (chunk) => input.feed(chunk));
    socket.on('close', () => input.end());
    socket.on('error', () => {});
    return new Session(input, (bytes) => {
      this.#written = this.#written.then(() => this.#put(bytes));
    });
  }

  async #put(bytes: Buffer): Promise<void> {
    const { wire, pace } = this.#served;
    const changed = wire(bytes);
    const left = changed.subarray(0, Math.min(changed.length, this.#served.cut_after));
    this.#served.cut_after -= left.length;
    for (let at = 0; at < left.length && !this.#socket.destroyed; at += pace) {
      this.#socket.write(left.subarray(at, at + pace));
      if (pace < left.length) await setTimeout(PACE);
    }
    if (left.length < changed.length) this.#socket.destroySoon();
  }

  #capabilities(): string {
    const { capabilities, starttls } = this.#served;
    const plain = starttls && !this.#secure;
    const before = plain ? ['STARTTLS', 'LOGINDISABLED'] : ['AUTH=PLAIN', 'AUTH=XOAUTH2'];
    const known = this.#session.mailbox ? capabilities : ['SASL-IR', 'LITERAL+', 'ID', ...before];
    return ['IMAP4rev1', ...known].join(' ');
  }

  async #secureNow(tag: string): Promise<void> {
    const { starttls } = this.#served;
    if (!starttls || this.#secure) return this.#session.send(`${tag} BAD Unknown command.`);
    this.#session.send(`${tag} OK Begin TLS negotiation now.`);
    await this.#written;
    this.#socket.removeAllListeners('data');
    this.#socket = new TLSSocket(this.#socket, { isServer: true, ...starttls });
    this.#secure = true;
    // What came before is forgotten: nobody was sure who wrote it.
    this.#session = this.#listen(this.#socket);
  }

  async #idle(): Promise<string> {
    const session = this.#session;
    session.send('+ idling');
    const timer = setInterval(() => session.tellChanges(), IDLE_STEP);
    await session.input.line();
    clearInterval(timer);
    return 'OK Idle completed.';
  }

  /** Commands about no folder. */
  async #general({ name, args }: Command): Promise<string | undefined> {
    const session = this.#session;
    switch (name) {
      case 'CAPABILITY':
        session.send(`* CAPABILITY ${this.#capabilities()}`);
        return 'OK Capability completed.';
      case 'ID':
        session.send('* ID ("name" "Server of tests")');
        return 'OK ID completed.';
      case 'NOOP':
        return 'OK NOOP completed.';
      case 'NAMESPACE':
        session.send('* NAMESPACE (("" "/")) NIL NIL');
        return 'OK Namespace completed.';
      case 'ENABLE':
        if (args.some((arg) => String(arg).toUpperCase() === 'CONDSTORE')) session.condstore = true;
        session.send(`* ENABLED${session.condstore ? ' CONDSTORE' : ''}`);
        return 'OK Enabled.';
      case 'IDLE':
        return this.#idle();
    }
    return undefined;
  }

  async #answer(command: Command): Promise<string> {
    const session = this.#session;
    const { name, args } = command;
    const { users, capabilities, starttls } = this.#served;
    if (name === 'LOGIN' || name === 'AUTHENTICATE') {
      if (starttls && !this.#secure) return 'NO [PRIVACYREQUIRED] Plaintext authentication disallowed.';
      const end = await signIn(session, users, command);
      return end.replace(/^OK/, `OK [CAPABILITY ${this.#capabilities()}]`);
    }
    const handler: Handler | undefined = folderCommands[name] ?? messageCommands[name];
    if (!session.mailbox && name !== 'CAPABILITY' && name !== 'ID' && name !== 'NOOP')
      return 'BAD Please login first.';
    if (name in messageCommands && name !== 'APPEND' && !session.selected) return 'BAD No mailbox selected.';
    return handler?.(session, args, capabilities) ?? (await this.#general(command)) ?? 'BAD Unknown command.';
  }

  /** What tests want in place of the command; whether there is something. */
  #replaced(command: Command): boolean {
    const session = this.#session;
    const instead = this.#served.instead(command);
    if (!instead) return false;
    session.send(...(instead.lines ?? []));
    if (instead.end !== undefined) session.send(`${command.tag} ${instead.end}`);
    if (instead.drop) session.ended = true;
    return true;
  }

  async #run(command: Command): Promise<void> {
    const session = this.#session;
    const { tag, name } = command;
    if (name === 'LOGOUT') {
      session.send('* BYE Logging out', `${tag} OK Logout completed.`);
      session.ended = true;
      return;
    }
    if (name === 'STARTTLS') return this.#secureNow(tag);
    const end = await this.#answer(command);
    if (this.#served.done(command) === 'drop') {
      session.ended = true;
      return;
    }
    session.tellChanges({ expunged: !['FETCH', 'STORE', 'SEARCH'].includes(name) });
    session.send(`${tag} ${end}`);
  }

  async serve(): Promise<void> {
    this.#session.send(this.#served.greeting);
    while (!this.#session.ended) {
      const session = this.#session;
      const command = await readCommand(session.input, () => session.send('+ OK'));
      if (!command) break;
      this.#served.asked.push(lineOf(command));
      if (session.lost && !(command.name in folderCommands)) {
        session.send('* BYE Mailbox was deleted under us.');
        break;
      }
      if (!this.#replaced(command)) await this.#run(command);
    }
    await this.#written;
    this.#socket.destroySoon();
  }
}

export async function serve(socket: Socket, served: Served): Promise<void> {
  socket.setNoDelay(true);
  // Not by `once` of node:events, which would reject where a client resets the connection.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Connection(socket, served).serve();
  await closed;
}
