import type { Services } from '#shared/services.ts';
import { importProvider } from './import.ts';
import type { MailProviders } from './provider.ts';

const adapters: MailProviders = { import: importProvider };

/** The adapters by the `provider` of a mailbox. */
export function mailProvidersOf(services: Services): MailProviders {
  return services.mail_providers ?? adapters;
}
