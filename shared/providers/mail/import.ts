import type { MailProvider } from '#shared/domain/mail/label-sync/provider.ts';

/** Mailboxes that are filled from archives. They have no mail server, so there is nobody to tell anything. */
export const importProvider: MailProvider = {
  setLabels: async () => {},
};
