import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { certificate } from '../../infra/local/mail-server/certificate.ts';
import type { Dovecot } from '../../infra/local/mail-server/dovecot.ts';
import { requireProgram } from '../../infra/local/mail-server/programs.ts';
import { untilOpen } from '../../infra/local/mail-server/until-open.ts';
import { freePort } from '../../infra/local/place.ts';

/** Postfix as Debian packages it, with a queue of its own: takes mail of Dovecot's users, and stores it in their inboxes. */

const run = promisify(execFile);

export interface PostfixOptions {
  dovecot: Dovecot;
  /** Users of Dovecot by address. All other addresses are refused. */
  inboxes: Record<string, string>;
  /** Addresses that it accepts, and then sends a bounce to the sender (RFC 3464). */
  bounced?: string[];
  /** In place of its own, by recipient: `450 4.2.1 Later`. */
  replies?: Record<string, string>;
  /** More settings, as of main.cf. */
  extra?: string[];
  tls?: { cert: string; key: string };
}

export interface Postfix {
  /** With STARTTLS. */
  port: number;
  /** TLS from the first byte. */
  tls_port: number;
  /** What it wrote about its work. */
  log(): Promise<string>;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** All processes at once. Its queue stays. */
  kill(): Promise<void>;
  /** Stops for good, and removes its folder. */
  remove(): Promise<void>;
}

/** A table within a setting. */
const inline = (entries: Record<string, string>) =>
  // It may not be empty.
  `inline:{ { @ = @ } ${Object.entries(entries)
    .map(([key, value]) => `{ ${key} = ${value} }`)
    .join(' ')} }`;

function mainSettings(folder: string, options: PostfixOptions): string {
  const { dovecot, inboxes, bounced = [], replies = {}, extra = [] } = options;
  const domains = new Set(Object.keys(inboxes).map((address) => address.slice(address.indexOf('@') + 1)));
  const paths = Object.fromEntries(
    Object.entries(inboxes).map(([at, user]) => [at, `${dovecot.maildir(user)}/`]),
  );
  const settings = [
    'compatibility_level = 3.6',
    `queue_directory = ${folder}/queue`,
    `data_directory = ${folder}/data`,
    `maillog_file = ${folder}/log`,
    `maillog_file_prefixes = ${folder}`,
    'inet_interfaces = 127.0.0.1',
    'myhostname = mail.acme.example',
    'mydestination =',
    'alias_maps =',
    `virtual_mailbox_domains = ${[...domains].join(' ')}`,
    'virtual_mailbox_base = /',
    `virtual_mailbox_maps = ${inline(paths)}`,
    `virtual_uid_maps = static:${dovecot.owner.uid}`,
    `virtual_gid_maps = static:${dovecot.owner.gid}`,
    `virtual_alias_maps = ${inline(Object.fromEntries(bounced.map((at) => [at, 'nobody@gone.example'])))}`,
    'virtual_minimum_uid = 1',
    'virtual_mailbox_limit = 0',
    'default_transport = error:5.1.2 There is no such host',
    'message_size_limit = 36700160',
    'smtpd_tls_security_level = encrypt',
    `smtpd_tls_chain_files = ${folder}/tls.pem`,
    'smtpd_sasl_auth_enable = yes',
    'smtpd_sasl_type = dovecot',
    `smtpd_sasl_path = ${dovecot.auth_socket}`,
    'smtpd_client_restrictions = permit_sasl_authenticated, reject',
    'smtpd_relay_restrictions = permit_sasl_authenticated, reject',
    `smtpd_recipient_restrictions = check_recipient_access ${inline(replies)}`,
    'smtpd_error_sleep_time = 0',
  ];
  return `${[...settings, ...extra].join('\n')}\n`;
}

const services = (port: number, tls_port: number) => `127.0.0.1:${port} inet n - n - - smtpd
127.0.0.1:${tls_port} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
proxymap unix - - n - - proxymap
postlog unix-dgram n - n - 1 postlogd
`;

/** Postfix becomes other users, as only root may. */
async function asRoot(...call: string[]): Promise<void> {
  const [program = '', ...args] = process.getuid?.() === 0 ? call : ['sudo', '-n', ...call];
  await run(program, args);
}

async function kill(folder: string): Promise<void> {
  const pid = (await readFile(join(folder, 'queue', 'pid', 'master.pid'), 'utf8')).trim();
  await asRoot('kill', '-KILL', '--', `-${pid}`);
}

export async function startPostfix(options: PostfixOptions): Promise<Postfix> {
  const postfix = requireProgram('postfix', 'postfix');
  const folder = await mkdtemp(join(tmpdir(), 'postfix-'));
  const { cert, key } = options.tls ?? certificate;
  const [port, tls_port] = await Promise.all([freePort('127.0.0.1'), freePort('127.0.0.1')]);
  await chmod(folder, 0o755);
  await mkdir(join(folder, 'settings'));
  await mkdir(join(folder, 'queue'));
  await writeFile(join(folder, 'tls.pem'), `${key}\n${cert}\n`, { mode: 0o600 });
  await writeFile(join(folder, 'settings', 'main.cf'), mainSettings(folder, options));
  await writeFile(join(folder, 'settings', 'master.cf'), services(port, tls_port));
  const start = async () => {
    await asRoot(postfix, '-c', join(folder, 'settings'), 'start');
    await untilOpen(tls_port, new Promise(() => {}), `Postfix does not start: ${folder}/log says why`);
  };
  const stop = () => asRoot(postfix, '-c', join(folder, 'settings'), 'stop');
  await start();
  return {
    port,
    tls_port,
    log: () => readFile(join(folder, 'log'), 'utf8'),
    start,
    stop,
    kill: () => kill(folder),
    async remove() {
      await stop().catch(() => {});
      await asRoot('rm', '-rf', folder);
    },
  };
}
