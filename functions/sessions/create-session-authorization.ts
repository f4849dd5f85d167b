import { beginInBrowser } from '#shared/api/authorization-cookie.ts';
import { originOf } from '#shared/api/base-url.ts';
import { handle } from '#shared/api/handle.ts';
import { Headed } from '#shared/api/headed.ts';
import { route } from '#shared/api/route.ts';
import { openId } from '#shared/composition/openid.ts';
import { authorizationSchema, beginAuthorization } from '#shared/domain/identity/openid/authorization.ts';
import { providerNamed } from '#shared/domain/identity/openid/named.ts';
import { requireAllowed } from '#shared/domain/identity/openid/redirect.ts';
import { limitSignIn } from '#shared/domain/identity/sign-in/limit.ts';
import { requiredText } from '#shared/values.ts';

export const createSessionAuthorization = route('createSessionAuthorization', {
  method: 'POST',
  path: '/sessions/authorizations',
  access: 'public',
  summary: 'Begin to sign in by a provider',
  description:
    'The browser goes to `url`, and the provider sends it back to `redirect_url` with `code` and `state`, for ' +
    '`POST /sessions` or `POST /accounts`, within 10 minutes. `redirect_url` is on the origin of the service, or an address ' +
    'that the operator allows. When a page of the service asks, only the same browser can go on, by a cookie.',
  body: {
    provider: requiredText(50).meta({
      description: '`google`, `microsoft` or `oidc`, where the operator has set it up',
      example: 'google',
    }),
    redirect_url: requiredText(2_000).meta({
      description: 'Where the provider sends the browser back to',
      example: 'https://app.acme.example/signed-in',
    }),
  },
  returns: { 201: { authorization: authorizationSchema } },
  errors: ['unsupported_provider', 'provider_lookup_unavailable'],
  uses: ['table:write', 'sign_in', 'openid'],
});

export const handler = handle(
  createSessionAuthorization,
  async ({ ctx, body: { provider, redirect_url }, event }) => {
    await limitSignIn(ctx);
    requireAllowed(redirect_url, ctx.config.openid, originOf(event));
    const { secret, headers } = beginInBrowser(event);
    const authorization = await beginAuthorization(
      ctx,
      { provider: providerNamed(provider, ctx.config.openid), redirect_url },
      secret,
    );
    return new Headed({ authorization }, headers);
  },
  openId,
);
