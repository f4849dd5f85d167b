import type { ReachesMailServers } from '#shared/domain/mail/label-sync/provider.ts';
import { importProvider } from '#shared/providers/mail/import.ts';

/** How the mail server of a mailbox is reached, by the mailbox's `provider`. */
export const mailServers: ReachesMailServers = { mail_servers: { import: importProvider } };
