import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { certificate } from '../../infra/local/mail-server/certificate.ts';
import type { Command } from './imap/command.ts';
import { type Instead, type Served, serve } from './imap/connection.ts';
import { ImapMailbox } from './imap/mailbox.ts';

/**
 * An IMAP server in memory (RFC 3501), which can be told to fail. The real one is in test/mail, where a test compares the
 * answers of both.
 */

export interface ImapServerOptions {
  /** TLS from the first byte, by STARTTLS, or none (default). */
  tls?: 'first' | 'starttls';
  certificate?: { cert: string; key: string };
}

const OFFERED = [
  ...['SASL-IR', 'LITERAL+', 'ID', 'ENABLE', 'IDLE', 'NAMESPACE', 'UNSELECT', 'UIDPLUS', 'MOVE', 'CONDSTORE'],
  ...['SPECIAL-USE', 'LIST-STATUS'],
];

export class ImapServer implements Served {
  port = 0;
  readonly users = new Map<string, ImapMailbox>();
  /** What it offers to those who are signed in, besides IMAP4rev1. Tests take some away, or add OBJECTID. */
  readonly capabilities = new Set(OFFERED);
  greeting = '* OK Ready';
  /** What was asked, as `SELECT INBOX`, without secrets and contents. */
  readonly asked: string[] = [];
  /** All, and the most at once. */
  readonly connections = { opened: 0, most: 0 };
  /** Answers in place of the server. */
  instead: (command: Command) => Instead | undefined = () => undefined;
  /** Is called once a command is done, before it is answered: the connection may end without an answer. */
  done: (command: Command) => 'drop' | undefined = () => undefined;
  /** Changes what is written. */
  wire: (bytes: Buffer) => Buffer = (bytes) => bytes;
  /** Bytes of all answers from now on, after which the connection ends. */
  cut_after = Number.POSITIVE_INFINITY;
  /** Writes by so many bytes each 10 milliseconds. */
  pace = Number.POSITIVE_INFINITY;

  readonly starttls: Served['starttls'];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor({ tls, ...options }: ImapServerOptions = {}) {
    const own = options.certificate ?? certificate;
    const accept = (socket: Socket) => void this.#accept(socket);
    this.#server = tls === 'first' ? createTlsServer(own, accept) : createServer(accept);
    this.starttls = tls === 'starttls' ? own : undefined;
  }

  async #accept(socket: Socket): Promise<void> {
    this.#sockets.add(socket);
    this.connections.opened++;
    this.connections.most = Math.max(this.connections.most, this.#sockets.size);
    await serve(socket, this);
    this.#sockets.delete(socket);
  }

  async start(port = 0): Promise<this> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  /** Does not keep the process. */
  unref(): void {
    this.#server.unref();
  }

  /** Ends all connections without a word. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** What is stored stays: `start` with the same port serves it again. */
  async stop(): Promise<void> {
    this.drop();
    this.#server.close();
    await once(this.#server, 'close');
  }

  user(name: string, password = 'right password'): ImapMailbox {
    const mailbox = new ImapMailbox(password);
    this.users.set(name, mailbox);
    return mailbox;
  }
}
