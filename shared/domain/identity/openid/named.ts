import { ApiError } from '#shared/errors.ts';
import { type OpenIdConfig, type OpenIdProvider, openIdProviders } from '#shared/openid-clients.ts';

/** The provider with this name. 400 `unsupported_provider` unless the deployment has it. */
export function providerNamed(name: string, { clients }: OpenIdConfig): OpenIdProvider {
  const found = openIdProviders.find((each) => each === name && clients[each]);
  if (!found) throw new ApiError('unsupported_provider');
  return found;
}
