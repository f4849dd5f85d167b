import { ImapFlow, type Logger } from 'imapflow';
import { FolderChanged, ServerUnreachable } from '#shared/domain/mail/servers/failures.ts';
import type { FolderPlace, ServerLogin } from '#shared/domain/mail/servers/server.ts';
import { BadAnswer, failureOf, failureToOpen } from './imap-failures.ts';
import { addressesOf, answerTime, atFirst, CONNECT_TIME, type Reach, tlsOptions } from './reach.ts';

/** A session of imapflow, with a limit for every command and the service's own errors. */

/** Bytes: a part of a message, the UIDs of a million messages, both of one answer. */
const LIMITS = { maxLiteralSize: 8 << 20, maxLineLength: 16 << 20, maxResponseSize: 32 << 20 };
/** Milliseconds that a server may take to say goodbye. */
const GOODBYE = 2_000;

/** imapflow passes over lines that it cannot read, and says so in its log alone. Nothing is logged. */
class Unread {
  lines = 0;
  readonly logger: Logger = { trace() {}, debug() {}, info() {}, ...this.#hearing() };

  #hearing() {
    const hear = ({ src, msg }: { src?: string; msg?: string }) => {
      const matters = src === 's' && /^\* (?:\d+ FETCH|E?SEARCH|LIST|STATUS)\b/i.test(msg ?? '');
      if (matters || /^(?:Failed to process|Invalid entries)/.test(msg ?? '')) this.lines += 1;
    };
    return { warn: hear, error: hear };
  }
}

function clientFor(login: ServerLogin, address: string, known: Reach, { logger }: Unread): ImapFlow {
  const { host, port, tls, username, secret } = login;
  const auth =
    'password' in secret
      ? { user: username, pass: secret.password }
      : { user: username, accessToken: secret.access_token };
  return new ImapFlow({
    ...{ host: address, servername: host, port, secure: tls, auth, tls: tlsOptions(known) },
    // Without a choice, imapflow uses STARTTLS where it is offered.
    ...(tls || known.private_hosts ? {} : { doSTARTTLS: true }),
    ...{ connectionTimeout: CONNECT_TIME, greetingTimeout: CONNECT_TIME, socketTimeout: answerTime(known) },
    ...{ logger, disableAutoIdle: true, disableCompression: true, disableIMAP4rev2: true },
    clientInfo: { name: 'Workspace API', vendor: false, version: false, 'support-url': false },
    ...LIMITS,
  });
}

export class ImapSession {
  readonly client: ImapFlow;
  /** Milliseconds that an answer may take. */
  readonly answer_time: number;
  #opened: { path: string; write: boolean } | undefined;
  #answer: { responseStatus: string; serverResponseCode?: string } | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #unread: Unread;

  constructor(client: ImapFlow, known: Reach, unread: Unread, signal: AbortSignal) {
    this.client = client;
    this.answer_time = answerTime(known);
    this.#unread = unread;
    // Commands tell what happened.
    client.on('error', () => {});
    client.on('response', ({ response, code }) => {
      this.#answer = { responseStatus: response, ...(code ? { serverResponseCode: code } : {}) };
    });
    const abort = () => client.close();
    signal.addEventListener('abort', abort, { once: true });
    client.once('close', () => signal.removeEventListener('abort', abort));
  }

  /**
   * After all that was asked before. Many calls of imapflow return false for NO: that is thrown here. `milliseconds` is the
   * time of each answer, for what calls `heard`.
   */
  run<T>(
    work: (heard: () => void) => Promise<T | false | undefined>,
    milliseconds = this.answer_time,
  ): Promise<T> {
    const next = this.#queue.then(() => this.#within(work, milliseconds));
    this.#queue = next.catch(() => {});
    return next;
  }

  async #within<T>(work: (heard: () => void) => Promise<T | false | undefined>, milliseconds: number) {
    const timer = setTimeout(() => this.client.close(), milliseconds);
    this.#answer = undefined;
    this.#unread.lines = 0;
    try {
      if (!this.client.usable) throw new ServerUnreachable();
      const result = await work(() => timer.refresh());
      if (this.#unread.lines > 0) throw new BadAnswer('The answer of the server cannot be read');
      if (result !== false && result !== undefined) return result;
      throw this.#answer ?? {};
    } catch (error) {
      throw failureOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  isOpen(path: string): boolean {
    return !!this.client.mailbox && this.#opened?.path === path;
  }

  /** For reading unless `write`: nothing that is read then changes (RFC 3501, 6.3.2). */
  async open(path: string, { write = false, again = true } = {}): Promise<void> {
    if (!again && this.isOpen(path) && (this.#opened?.write || !write)) return;
    this.#opened = undefined;
    await this.client.mailboxOpen(path, { readOnly: !write });
    this.#opened = { path, write };
  }

  /** UIDs name messages only as long as UIDVALIDITY is the same. */
  async openPlace({ path, uidvalidity }: FolderPlace, how?: { write?: boolean; again?: boolean }) {
    await this.open(path, how);
    const { mailbox } = this.client;
    if (!mailbox || String(mailbox.uidValidity) !== uidvalidity)
      throw new FolderChanged('The folder has other UIDs');
  }

  /** Not by CLOSE, which would remove what others marked as deleted. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.client.close(), GOODBYE);
    await this.client.logout().catch(() => {});
    clearTimeout(timer);
    this.client.close();
  }
}

export async function openImap(login: ServerLogin, known: Reach, signal: AbortSignal): Promise<ImapSession> {
  const addresses = await addressesOf(login, 'imap', known);
  return atFirst(addresses, async (address) => {
    signal.throwIfAborted();
    const unread = new Unread();
    const client = clientFor(login, address, known, unread);
    const session = new ImapSession(client, known, unread, signal);
    const timer = setTimeout(() => client.close(), session.answer_time);
    try {
      await client.connect();
      return session;
    } catch (error) {
      client.close();
      throw failureToOpen(error);
    } finally {
      clearTimeout(timer);
    }
  });
}
