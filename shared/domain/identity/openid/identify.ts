import type { Context } from '#shared/context.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import { ApiError } from '#shared/errors.ts';
import type { OpenIdProvider } from '#shared/openid-clients.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { above, missing, present, type Table, update, type Write, when } from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import type { Authorization } from './authorization.ts';
import type { AsksProviders, Identity } from './provider.ts';

/** What a client brings back from a provider. */
export interface ByProvider {
  provider: OpenIdProvider;
  authorization_code: string;
  state: string;
  iss?: string | undefined;
}

const refused = () => new ApiError('invalid_credentials');

/**
 * The authorization that the state names, claimed for this code, or claimed by it before and answered. A page of the
 * service can only end what the same browser began, so that nobody is signed in to the account of somebody else
 * (RFC 9700, section 4.7). 401 otherwise.
 */
async function claim(
  { table, now }: { table: Table; now: Date },
  { provider, authorization_code, state }: ByProvider,
  browser: string | undefined,
): Promise<Authorization> {
  const code_hash = hashSecret(authorization_code);
  const fits = {
    provider,
    expires_at_ms: above(now.getTime()),
    browser: browser === undefined ? missing : hashSecret(browser),
  };
  const claimed = await tryUpdate<Authorization>(table, keys.authorization(state), {
    set: { code_hash },
    when: [
      { ...fits, code_hash: missing },
      { ...fits, code_hash, identity: present },
    ],
  });
  if (!claimed) throw refused();
  return claimed;
}

export interface Identified {
  identity: Identity;
  /** Ends the authorization, in the transaction of what it permits: exactly one does. */
  use: Write;
}

/**
 * Who comes with a code. It is exchanged once, and remembered until it is used or expires: what else is wrong with a
 * request does not send people to the provider again.
 */
export async function identify(
  ctx: Context<AsksProviders>,
  sent: ByProvider,
  browser: string | undefined,
): Promise<Identified> {
  const claimed = await claim(ctx, sent, browser);
  const { redirect_url, nonce, code_verifier, code_hash = '' } = claimed;
  const { provider, ...response } = sent;
  const identity =
    claimed.identity ??
    (await ctx.ports.identify(ctx, provider, { ...response, redirect_url, nonce, code_verifier }));
  const key = keyOf(claimed);
  if (!claimed.identity)
    await ctx.table.transact([
      { ...update<Authorization>(key, { set: { identity }, when: { code_hash } }), otherwise: refused },
    ]);
  return { identity, use: { delete: key, when: when<Authorization>({ code_hash }), otherwise: refused } };
}
