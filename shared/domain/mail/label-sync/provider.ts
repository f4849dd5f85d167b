import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';

/** Labels of messages at a mail server; missing ones stay as they are. */
export interface Labels {
  read?: boolean;
  flagged?: boolean;
}

/** The port to a kind of mail server, with an adapter for each `provider` of mailboxes. */
export interface MailProvider {
  /**
   * Sets labels of messages in a mailbox; idempotent. `message_ids` are Message-IDs (RFC 5322) without angle brackets;
   * unknown ones are skipped. Ends when `signal` aborts. After an error, nothing of the call may reach the server any
   * more. Throws `ProviderRefused` when retrying is useless, `TryLater` when the server names a waiting time, and any
   * other error when a retry may succeed.
   */
  setLabels(mailbox: Mailbox, message_ids: string[], labels: Labels, signal: AbortSignal): Promise<void>;
}

/** Port: the adapters by the `provider` of a mailbox. */
export interface ReachesMailServers {
  mail_servers: Record<Mailbox['provider'], MailProvider>;
}

/** The server will always refuse: access was withdrawn, or the mailbox is gone there. */
export class ProviderRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProviderRefused';
  }
}
