import type { AsksMailProviders } from '#shared/domain/mail/consent/provider.ts';
import { mailConsentsAt } from '#shared/providers/openid/mail-consents.ts';

/** Whom people ask to let the service into their mailboxes. */
export const mailConsents: AsksMailProviders = {
  mail_consents: ({ mail_providers }) => mailConsentsAt(mail_providers),
};
