import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../place.ts';
import { certificate } from './certificate.ts';
import { requireProgram } from './programs.ts';
import { type DovecotSettings, dovecotSettings, tokenSettings } from './settings.ts';
import { untilOpen } from './until-open.ts';

/** Dovecot as Debian packages it, with a folder, ports and users of its own. */

const execute = promisify(execFile);

/** Debian's user `mail`: Dovecot stores nothing as root. */
const MAIL_USER = 8;

export interface DovecotOptions extends Pick<DovecotSettings, 'introspection_url' | 'extra'> {
  /** Exists. Its mail stays when the server stops. */
  folder: string;
  /** Passwords by user. */
  users: Record<string, string>;
  tls?: { cert: string; key: string };
  /** Free ones by default. */
  ports?: Pick<Dovecot, 'port' | 'tls_port'>;
}

export interface Dovecot {
  /** With STARTTLS. */
  port: number;
  /** TLS from the first byte. */
  tls_port: number;
  /** The socket on which other servers ask whether a password is right. */
  auth_socket: string;
  owner: DovecotSettings['owner'];
  maildir(user: string): string;
  setPassword(user: string, password: string): Promise<void>;
  /** Its answer. */
  doveadm(...args: string[]): Promise<string>;
  /** Stores a message in the inbox of a user, as mail that arrives. */
  deliver(user: string, raw: Uint8Array): Promise<void>;
  /** On the same ports, with the same mail. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** All processes at once, wherever they are. */
  kill(): Promise<unknown>;
}

function owner(): Dovecot['owner'] {
  const { uid, gid } = userInfo();
  return uid === 0 ? { uid: MAIL_USER, gid: MAIL_USER } : { uid, gid };
}

async function writeSettings(settings: DovecotSettings, tls: { cert: string; key: string }): Promise<string> {
  const { folder, introspection_url } = settings;
  const file = join(folder, 'dovecot.conf');
  await writeFile(join(folder, 'cert.pem'), tls.cert);
  await writeFile(join(folder, 'key.pem'), tls.key, { mode: 0o600 });
  if (introspection_url) await writeFile(join(folder, 'tokens.conf'), tokenSettings(introspection_url));
  await writeFile(file, dovecotSettings(settings));
  return file;
}

/** Users with their passwords, in a file that Dovecot reads again when it changes. */
class Users {
  readonly #file: string;
  readonly #passwords: Record<string, string>;
  #changes = 0;

  constructor(file: string, passwords: Record<string, string>) {
    this.#file = file;
    this.#passwords = { ...passwords };
  }

  async write(changed: Record<string, string> = {}): Promise<void> {
    Object.assign(this.#passwords, changed);
    const lines = Object.entries(this.#passwords).map(
      ([name, password]) => `${name}:{PLAIN}${password}::::::\n`,
    );
    await writeFile(this.#file, lines.join(''), { mode: 0o600 });
    // Dovecot compares whole seconds.
    const at = new Date(Date.now() + ++this.#changes * 1_000);
    await utimes(this.#file, at, at);
  }
}

/** The process that starts all others, and these. */
function processOf(file: string, { folder, run, tls_port }: DovecotSettings) {
  const program = requireProgram('dovecot', 'dovecot-imapd');
  let server: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  const kill = () => {
    // The whole group: connections have processes of their own, which outlive the first one.
    if (server?.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGKILL');
    return ended;
  };
  process.once('exit', kill);
  return {
    async start() {
      await rm(run, { recursive: true, force: true });
      await mkdir(run, { mode: 0o755 });
      server = spawn(program, ['-F', '-c', file], { stdio: 'ignore', detached: true });
      ended = once(server, 'exit');
      await untilOpen(tls_port, ended, `Dovecot does not start: ${join(folder, 'log')} says why`);
    },
    async stop() {
      server?.kill();
      await ended;
      await rm(run, { recursive: true, force: true });
    },
    kill,
  };
}

export async function startDovecot(options: DovecotOptions): Promise<Dovecot> {
  const doveadm = requireProgram('doveadm', 'dovecot-imapd');
  const { folder, tls = certificate } = options;
  const host = '127.0.0.1';
  const ports = options.ports ?? { port: await freePort(host), tls_port: await freePort(host) };
  const run = await mkdtemp(join(tmpdir(), 'dovecot-run-'));
  const settings = { ...options, ...ports, run, owner: owner() };
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'mail'), { recursive: true });
  await chown(join(folder, 'mail'), settings.owner.uid, settings.owner.gid);
  const file = await writeSettings(settings, tls);
  const users = new Users(join(folder, 'users'), options.users);
  await users.write();
  const ask = async (...args: string[]) => (await execute(doveadm, ['-c', file, ...args])).stdout;
  const server = processOf(file, settings);
  await server.start();
  return {
    ...ports,
    owner: settings.owner,
    auth_socket: join(run, 'auth-smtp'),
    maildir: (user) => join(folder, 'mail', user, 'Maildir'),
    doveadm: ask,
    async deliver(user, raw) {
      const saving = execute(doveadm, ['-c', file, 'save', '-u', user, '-m', 'INBOX']);
      saving.child.stdin?.end(raw);
      await saving;
    },
    ...server,
    async setPassword(user, password) {
      await users.write({ [user]: password });
      // Dovecot looks for changes once a second.
      while (!(await ask('auth', 'test', user, password).then(Boolean, () => false))) await setTimeout(50);
    },
  };
}
