import { ISSUERS, type OpenIdClient, readClient } from './openid-clients.ts';

/** The providers of mailboxes to which people let the service in by OAuth 2.0 (docs/decisions/0078-mailboxes-by-consent.md). */

export const mailProviders = ['gmail', 'outlook'] as const;

export type MailProvider = (typeof mailProviders)[number];

interface Place {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise by STARTTLS. */
  tls: boolean;
}

/** Whom the service asks for tokens, and where they sign in. */
export interface MailProviderConfig {
  client: OpenIdClient;
  imap: Place;
  smtp: Place;
}

export type MailProvidersConfig = Partial<Record<MailProvider, MailProviderConfig>>;

/**
 * https://developers.google.com/workspace/gmail/imap/imap-smtp,
 * https://learn.microsoft.com/exchange/client-developer/legacy-protocols/how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth
 */
const SERVERS = {
  gmail: {
    imap: { host: 'imap.gmail.com', port: 993, tls: true },
    smtp: { host: 'smtp.gmail.com', port: 465, tls: true },
  },
  outlook: {
    imap: { host: 'outlook.office365.com', port: 993, tls: true },
    smtp: { host: 'smtp.office365.com', port: 587, tls: false },
  },
} as const satisfies Record<MailProvider, Omit<MailProviderConfig, 'client'>>;

/** Throws for a provider of which something is missing. An app of one tenant of Microsoft has an issuer of its own. */
export function readMailProviders(env: NodeJS.ProcessEnv): MailProvidersConfig {
  const gmail = readClient(env, 'GMAIL', ISSUERS.google);
  const outlook = readClient(env, 'OUTLOOK', env.OUTLOOK_ISSUER || ISSUERS.microsoft);
  return {
    ...(gmail ? { gmail: { client: gmail, ...SERVERS.gmail } } : {}),
    ...(outlook ? { outlook: { client: outlook, ...SERVERS.outlook } } : {}),
  };
}
