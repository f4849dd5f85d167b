import type { Context, Visitor } from '#shared/context.ts';
import type { ByProvider } from '#shared/domain/identity/openid/identify.ts';
import type { AsksProviders } from '#shared/domain/identity/openid/provider.ts';
import type { OpenedSession } from '#shared/domain/identity/sessions/open.ts';
import { type ByCode, signInByCode } from './by-code.ts';
import { type Asked, signInByProvider } from './by-provider.ts';

/** Opens a session by the way that a request names. */
export function signIn(
  ctx: Context<AsksProviders> & Visitor,
  way: ByCode | ByProvider,
  asked: Asked,
): Promise<OpenedSession> {
  return 'provider' in way ? signInByProvider(ctx, way, asked) : signInByCode(ctx, way, asked.account_id);
}
