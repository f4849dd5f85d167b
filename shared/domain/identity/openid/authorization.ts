import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Context } from '#shared/context.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import type { OpenIdProvider } from '#shared/openid-clients.ts';
import { timestamp } from '#shared/values.ts';
import type { AsksProviders, Identity, Proofs } from './provider.ts';
import { type StoredAuthorization, storeAuthorization } from './stored-authorization.ts';

/** An authorization to sign in, as stored. */
export type Authorization = StoredAuthorization & {
  provider: OpenIdProvider;
  /** The digest of the secret in the cookie of the browser that began it; missing when no page of the service did. */
  browser?: string;
  /** Who came with the code. */
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

export const newProofs = (): Proofs => ({ nonce: randomText(), code_verifier: randomText() });

/** `browser` is the secret in its cookie. */
export async function beginAuthorization(
  ctx: Context<AsksProviders>,
  { provider, redirect_url }: { provider: OpenIdProvider; redirect_url: string },
  browser: string | undefined,
): Promise<z.infer<typeof authorizationSchema>> {
  const state = randomText();
  const proofs = newProofs();
  const url = await ctx.ports.authorizationUrl(ctx, provider, { redirect_url, state, ...proofs });
  const expires_at = await storeAuthorization<Authorization>(ctx, state, {
    ...{ provider, redirect_url, ...proofs },
    ...(browser === undefined ? {} : { browser: hashSecret(browser) }),
  });
  return { url, state, expires_at };
}
