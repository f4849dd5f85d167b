import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Context } from '#shared/context.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import type { OpenIdProvider } from '#shared/openid-clients.ts';
import { keys } from '#shared/table/keys.ts';
import { type Item, mustNotExist } from '#shared/table/table.ts';
import { timestamp } from '#shared/values.ts';
import type { AsksProviders, Identity, Proofs } from './provider.ts';

/** Milliseconds that somebody has at the provider. */
const LIFETIME = 10 * 60_000;

/** An authorization as stored, under the digest of its state. */
export type Authorization = Item &
  Proofs & {
    provider: OpenIdProvider;
    redirect_url: string;
    /** The digest of the secret in the cookie of the browser that began it; missing when no page of the service did. */
    browser?: string;
    expires_at_ms: number;
    expires_epoch: number;
    /** The digest of the code that came back, and who came with it. */
    code_hash?: string;
    identity?: Identity;
  };

export const authorizationSchema = z
  .strictObject({
    url: z.url().meta({ example: 'https://accounts.google.com/o/oauth2/v2/auth?client_id=...' }),
    state: z.string().meta({ example: 'hV3mX9wq2LrK8pWc5Zd1NfYg4JsA6eU0tR7vBQm3xT4' }),
    expires_at: timestamp,
  })
  .meta({ id: 'Authorization' });

/** 256 bits, as PKCE wants for its verifier (RFC 7636, section 4.1). */
export const randomText = () => randomBytes(32).toString('base64url');

/** `browser` is the secret in its cookie. */
export async function beginAuthorization(
  ctx: Context<AsksProviders>,
  { provider, redirect_url }: { provider: OpenIdProvider; redirect_url: string },
  browser: string | undefined,
): Promise<z.infer<typeof authorizationSchema>> {
  const state = randomText();
  const proofs: Proofs = { nonce: randomText(), code_verifier: randomText() };
  const url = await ctx.ports.authorizationUrl(ctx, provider, { redirect_url, state, ...proofs });
  const expires_at_ms = ctx.now.getTime() + LIFETIME;
  const authorization: Authorization = {
    ...keys.authorization(state),
    ...{ provider, redirect_url, ...proofs },
    ...(browser === undefined ? {} : { browser: hashSecret(browser) }),
    expires_at_ms,
    expires_epoch: Math.ceil(expires_at_ms / 1_000),
  };
  await ctx.table.put(authorization, mustNotExist);
  return { url, state, expires_at: new Date(expires_at_ms).toISOString() };
}
