import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';

/** Labels of messages at a mail server; those that are left out stay as they are. */
export interface Labels {
  read?: boolean;
  flagged?: boolean;
}

/** The port to a kind of mail server. There is an adapter for each `provider` that a mailbox may have. */
export interface MailProvider {
  /**
   * Gives messages of a mailbox these labels; doing it again changes nothing. `message_ids` are Message-IDs (RFC 5322)
   * without angle brackets; those that the server does not know are passed over. Ends when `signal` aborts. Whatever
   * it throws, nothing of the call may reach the server afterwards. It throws `ProviderRefused` when trying again is
   * of no use, `TryLater` when the server says how long to wait, and anything else when it may work the next time.
   */
  setLabels(mailbox: Mailbox, message_ids: string[], labels: Labels, signal: AbortSignal): Promise<void>;
}

/** Port: the adapters by the `provider` of a mailbox. */
export interface ReachesMailServers {
  mail_servers: Record<Mailbox['provider'], MailProvider>;
}

/** The server will not do it, however often it is asked: access was withdrawn, the mailbox is gone there. */
export class ProviderRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProviderRefused';
  }
}
