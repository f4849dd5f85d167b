import type { ReachesMailServers } from '#shared/domain/mail/servers/server.ts';
import { mailServersAt } from '#shared/providers/mail/servers.ts';
import { mailConsents } from './mail-consents.ts';

/** The mail servers of mailboxes: public ones, unless the configuration allows private ones. */
export const mailServer: ReachesMailServers = {
  mail_server: ({ mail_private_hosts }) => mailServersAt(mail_private_hosts),
  ...mailConsents,
};
