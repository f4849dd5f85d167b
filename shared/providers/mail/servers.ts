import type { MailServers } from '#shared/domain/mail/servers/server.ts';
import { openStore } from './imap.ts';
import { type Resolving, reach } from './reach.ts';
import { openTransport } from './smtp.ts';

/** Any server of IMAP and SMTP. Other `outside`s are for tests, which have no internet. */
export function mailServersAt(private_hosts: boolean, outside?: Resolving): MailServers {
  const known = reach(private_hosts, outside);
  return { openStore: openStore(known), openTransport: openTransport(known) };
}
