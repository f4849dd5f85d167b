import type { SMTPServerOptions } from 'smtp-server';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { type ScriptedImap, startScriptedImap } from './scripted-imap.ts';
import { reply, type SmtpSink, startSmtpSink } from './smtp-sink.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Mail servers that know one password, and mailboxes that are connected with them. */

export const PASSWORD = 'the right password';

/** For tests that connect more often than users may in an hour. */
export async function forgetAttempts({ table, account_id, ada, grace, linus }: Workspace): Promise<void> {
  for (const subject of [account_id, ada.user.id, grace.user.id, linus.user.id]) {
    const counters = await table.all<Item>(keys.hourlyRate('SERVERS', subject, 0).PK, 'SERVERS#');
    await table.writeMany(counters.map((item) => ({ delete: keyOf(item) })));
  }
}

export interface OwnServers {
  imap: ScriptedImap;
  smtp: SmtpSink;
  /** As clients send them. */
  servers(password?: string): { imap: object; smtp: object };
  stop(): Promise<void>;
}

const onAuth: NonNullable<SMTPServerOptions['onAuth']> = ({ password }, _, done) =>
  password === PASSWORD ? done(null, { user: 'ada' }) : done(reply(535, '5.7.8 Wrong words'));

export async function startOwnServers({ ctx }: Workspace): Promise<OwnServers> {
  ctx.config.mail_private_hosts = true;
  const [imap, smtp] = [await startScriptedImap(), await startSmtpSink({ onAuth })];
  imap.answer = ({ command, rest }) =>
    command === 'LOGIN' && !rest.includes(PASSWORD) ? ['NO [AUTHENTICATIONFAILED] Wrong words'] : undefined;
  const server = { host: '127.0.0.1', tls: false, username: 'ada' };
  return {
    imap,
    smtp,
    servers: (password = PASSWORD) => ({
      imap: { ...server, port: imap.port, password },
      smtp: { ...server, port: Number(new URL(smtp.url).port), password },
    }),
    stop: async () => {
      ctx.config.mail_private_hosts = false;
      await imap.stop();
      await smtp.stop();
    },
  };
}

export const connectMailbox = (user: TestUser, email_address: string, servers: object) =>
  user.session.createMailbox({
    body: { mailbox: { provider: 'imap', email_address, ...servers } as never },
  });
