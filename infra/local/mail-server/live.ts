import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../place.ts';
import { answerTo } from './answers.ts';
import { trustCertificate } from './certificate.ts';
import { type Dovecot, startDovecot } from './dovecot.ts';
import { type Submitted, startSubmission } from './submission.ts';

/**
 * Mail on this machine alone: `ada` has a mailbox, all other addresses in the world have one together, `world`, and answer
 * what is written to them.
 */

const ADA = 'ada@acme.example';

/** Kept in the folder: what stores a connection finds the same servers again. */
interface Account {
  password: string;
  imap_port: number;
  smtp_port: number;
}

export interface LiveMail extends Account {
  user: 'ada';
  address: string;
  /** Is called when mail arrived for Ada. */
  arrived: () => void;
  stop(): Promise<void>;
}

/** Dovecot that root starts stores mail as another user. */
function requireEntrance(folder: string): void {
  if (process.getuid?.() !== 0) return;
  for (let path = folder; path !== dirname(path); path = dirname(path))
    if ((statSync(path).mode & 0o001) === 0)
      throw new Error(
        `Dovecot stores mail as the user "mail", who may not enter ${path}: choose another --data`,
      );
}

async function readAccount(folder: string): Promise<Account> {
  const file = join(folder, 'account.json');
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'));
  const [imap_port, smtp_port] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
  const account = { password: randomBytes(12).toString('base64url'), imap_port, smtp_port };
  await writeFile(file, JSON.stringify(account), { mode: 0o600 });
  return account;
}

function deliverer(dovecot: Dovecot, toAda: (raw: Uint8Array) => Promise<void>) {
  return async (mail: Submitted) => {
    const others = mail.to.filter((address) => address.toLowerCase() !== ADA);
    if (others.length < mail.to.length) await toAda(mail.raw);
    const [writer] = others;
    if (writer === undefined) return;
    await dovecot.deliver('world', mail.raw);
    const answer = await answerTo(mail, writer);
    if (answer && mail.from.toLowerCase() === ADA) await toAda(answer);
  };
}

/** Without a folder, nothing stays. */
export async function startLiveMail(kept: string | undefined): Promise<LiveMail> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'mail-server-')));
  await mkdir(folder, { recursive: true, mode: 0o755 });
  if (kept) requireEntrance(dirname(kept));
  trustCertificate();
  const account = await readAccount(folder);
  const { password, imap_port, smtp_port } = account;
  const passwords = { ada: password, world: password };
  const ports = { tls_port: imap_port, port: await freePort('127.0.0.1') };
  const dovecot = await startDovecot({ folder, users: passwords, ports });
  const toAda = async (raw: Uint8Array) => {
    await dovecot.deliver('ada', raw);
    live.arrived();
  };
  const deliver = deliverer(dovecot, toAda);
  const stopSubmission = await startSubmission({ port: smtp_port, passwords, deliver });
  const live: LiveMail = {
    ...{ ...account, user: 'ada', address: ADA, arrived: () => {} },
    async stop() {
      await stopSubmission();
      await dovecot.stop();
      if (!kept) await rm(folder, { recursive: true, force: true });
    },
  };
  return live;
}
