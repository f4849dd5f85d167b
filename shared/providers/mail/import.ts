import type { MailProvider } from '#shared/domain/mail/label-sync/provider.ts';

/** Mailboxes that are filled from archives. They have no mail server to notify. */
export const importProvider: MailProvider = {
  setLabels: async () => {},
};
