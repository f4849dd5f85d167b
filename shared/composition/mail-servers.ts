import type { ReachesMailServers } from '#shared/domain/mail/label-sync/provider.ts';
import { importProvider } from '#shared/providers/mail/import.ts';

/** The adapters of mail servers, by the `provider` of a mailbox. */
export const mailServers: ReachesMailServers = { mail_servers: { import: importProvider } };
