import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { trustCertificate } from '../../infra/local/mail-server/certificate.ts';
import { type Dovecot, type DovecotOptions, startDovecot } from '../../infra/local/mail-server/dovecot.ts';
import { type Postfix, type PostfixOptions, startPostfix } from './postfix.ts';
import { startTokenServer, type TokenServer } from './token-server.ts';

/** The mail servers of a company: every user has an address at acme.example, a password, and tokens on request. */

export interface MailServers {
  dovecot: Dovecot;
  postfix: Postfix;
  /** Tokens by which users sign in on both (XOAUTH2). */
  tokens: TokenServer['tokens'];
  /** Of any user, as `doveadm mailbox status` has it: messages by folder. */
  counts(user: string): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

export interface MailServersOptions {
  /** By user. Their address is `user@acme.example`. */
  passwords: Record<string, string>;
  dovecot?: Pick<DovecotOptions, 'extra' | 'tls'>;
  postfix?: Pick<PostfixOptions, 'bounced' | 'replies' | 'extra' | 'tls'>;
}

async function countsOf({ doveadm }: Dovecot, user: string): Promise<Record<string, number>> {
  const lines = await doveadm('-f', 'tab', 'mailbox', 'status', '-u', user, 'messages', '*');
  const rows = lines.trim().split('\n').slice(1);
  return Object.fromEntries(rows.map((row) => row.split('\t')).map(([name, count]) => [name, Number(count)]));
}

/** Once more, with other ports: another program may have taken one before the server listened. */
const startedAgain = <Server>(start: () => Promise<Server>): Promise<Server> => start().catch(start);

/** Its certificate is trusted by this thread from now on. */
export async function startMailServers(options: MailServersOptions): Promise<MailServers> {
  const { passwords } = options;
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const each of stops.reverse()) await each();
  };
  try {
    trustCertificate();
    const folder = await mkdtemp(join(tmpdir(), 'dovecot-'));
    stops.push(() => rm(folder, { recursive: true, force: true }));
    const { tokens, url, stop: stopTokens } = await startTokenServer();
    stops.push(stopTokens);
    const dovecot = await startedAgain(() =>
      startDovecot({ folder, users: passwords, introspection_url: url, ...options.dovecot }),
    );
    stops.push(dovecot.stop);
    const inboxes = Object.fromEntries(Object.keys(passwords).map((user) => [`${user}@acme.example`, user]));
    const postfix = await startedAgain(() => startPostfix({ dovecot, inboxes, ...options.postfix }));
    stops.push(postfix.remove);
    return { dovecot, postfix, tokens, counts: (user) => countsOf(dovecot, user), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
