import type * as z from 'zod';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import {
  type authorizationSchema,
  newProofs,
  randomText,
} from '#shared/domain/identity/openid/authorization.ts';
import {
  type StoredAuthorization,
  storeAuthorization,
} from '#shared/domain/identity/openid/stored-authorization.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { requireOwnMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { invalidField } from '#shared/errors.ts';
import type { MailProvider } from '#shared/mail-providers.ts';
import { askProvider, requireConfigured } from './ask.ts';
import type { AsksMailProviders } from './provider.ts';

/** Somebody is asked to let the service into a mailbox. Nobody else can end what they began. */

export type MailAuthorization = StoredAuthorization & {
  provider: MailProvider;
  account_id: string;
  user_id: string;
  /** The mailbox that is connected anew; missing for a new one. */
  mailbox_id?: string;
  /** What the code gave, sealed. */
  consent?: string;
};

export interface Asked {
  provider: MailProvider;
  redirect_url: string;
  mailbox_id?: string | undefined;
}

/** A mailbox of the caller at this provider. */
async function reconnected(
  ctx: CallerContext,
  { provider, mailbox_id }: Asked,
): Promise<Mailbox | undefined> {
  if (mailbox_id === undefined) return undefined;
  const mailbox = await requireOwnMailbox(ctx, mailbox_id);
  if (mailbox.provider !== provider)
    throw invalidField('mailbox_id', 'invalid', `is a mailbox of another provider than ${provider}`);
  return mailbox;
}

/** 400 `unsupported_provider`, 404 and 403 for mailboxes that are not the caller's, 502 `provider_failed`. */
export async function beginMailAuthorization(
  ctx: CallerContext<AsksMailProviders>,
  asked: Asked,
): Promise<z.infer<typeof authorizationSchema>> {
  const { provider, redirect_url } = asked;
  requireConfigured(ctx, provider);
  const mailbox = await reconnected(ctx, asked);
  const state = randomText();
  const proofs = newProofs();
  const request = { redirect_url, state, ...proofs, login_hint: mailbox?.email_address };
  const url = await askProvider(ctx, (consents) => consents.authorizationUrl(provider, request));
  const expires_at = await storeAuthorization<MailAuthorization>(ctx, state, {
    ...{ provider, redirect_url, ...proofs },
    ...{ account_id: ctx.caller.account.id, user_id: ctx.caller.user.id },
    ...(mailbox ? { mailbox_id: mailbox.id } : {}),
  });
  return { url, state, expires_at };
}
