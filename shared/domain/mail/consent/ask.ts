import type { Context } from '#shared/context.ts';
import { ConsentRefused } from '#shared/domain/mail/servers/failures.ts';
import { ApiError } from '#shared/errors.ts';
import type { MailProvider } from '#shared/mail-providers.ts';
import { providerFailed } from '#shared/provider-failed.ts';
import type { AsksMailProviders, MailConsents } from './provider.ts';

/** Questions to providers, for requests. */

/** 400 unless the operator has set the provider up. */
export function requireConfigured({ config }: Pick<Context, 'config'>, provider: MailProvider): void {
  if (!config.mail_providers[provider]) throw new ApiError('unsupported_provider');
}

/** Throws ConsentRefused, and 502 `provider_failed` for all other failures. */
export async function askProvider<T>(
  ctx: Context<AsksMailProviders>,
  question: (consents: MailConsents) => Promise<T>,
): Promise<T> {
  try {
    return await question(ctx.ports.mail_consents(ctx.config));
  } catch (cause) {
    if (cause instanceof ConsentRefused) throw cause;
    throw providerFailed(cause);
  }
}
