import type { AsksProviders } from '#shared/domain/identity/openid/provider.ts';
import { openIdClient } from '#shared/providers/openid/openid-client.ts';

/** For the operations that sign in by a provider. */
export const openId: AsksProviders = openIdClient;
