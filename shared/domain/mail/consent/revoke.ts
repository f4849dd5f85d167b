import type { Context } from '#shared/context.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { openTokens } from '#shared/domain/mail/servers/login.ts';
import { sealingKeys } from '#shared/domain/platform/secrets/sealing-keys.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { requireProvider } from './access.ts';
import type { AsksMailProviders } from './provider.ts';

/** Tells the provider that the service needs its consent no more. Nobody waits for it twice: people can end it there too. */
export async function revokeConsent(ctx: Context<AsksMailProviders>, mailbox: Mailbox): Promise<void> {
  const { oauth } = mailbox.mail_server ?? {};
  const tokens = oauth && openTokens(await sealingKeys(ctx), mailbox.id, oauth);
  if (!tokens) return;
  try {
    const provider = requireProvider(ctx, mailbox);
    await ctx.ports.mail_consents(ctx.config).revoke(provider, tokens.refresh_token);
  } catch (error) {
    getLogger().warn('consent not revoked', { mailbox_id: mailbox.id, error: describeError(error) });
  }
}
