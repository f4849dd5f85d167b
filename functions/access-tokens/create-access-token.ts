import { handle } from '#shared/api/handle.ts';
import { Headed } from '#shared/api/headed.ts';
import { readRefreshCookie, withRefreshCookie } from '#shared/api/refresh-cookie.ts';
import { route } from '#shared/api/route.ts';
import { accessTokenResponse, refreshTokenDraft } from '#shared/domain/identity/sessions/access-token.ts';
import { refreshSession } from '#shared/domain/identity/sessions/refresh.ts';
import { limitSignIn } from '#shared/domain/identity/sign-in/limit.ts';
import { invalidField } from '#shared/errors.ts';

export const createAccessToken = route('createAccessToken', {
  method: 'POST',
  path: '/access_tokens',
  access: 'public',
  summary: 'Exchange a refresh token for an access token',
  description:
    'A refresh token works once: the response gives the next one, in the cookie always and in the body when the token ' +
    'was sent in the body. Within 10 seconds the token before it is 409 `duplicate_refresh_attempted`; later, or an ' +
    'older one, is 401 `token_theft_detected` and ends the session. The cookie `refresh_token` is read only on requests ' +
    'from pages of the service.',
  body: { refresh_token: refreshTokenDraft },
  returns: { 200: accessTokenResponse },
  errors: [
    'could_not_save_access_token',
    'could_not_save_refresh_token',
    'duplicate_refresh_attempted',
    'expired_refresh_token',
    'invalid_refresh_token',
    'permission_denied',
    'token_revoked',
    'token_theft_detected',
  ],
  uses: ['table:write', 'sign_in', 'queue:send-mail'],
});

export const handler = handle(createAccessToken, async ({ ctx, body, event }) => {
  await limitSignIn(ctx);
  const sent = body.refresh_token ?? readRefreshCookie(event);
  if (sent === undefined)
    throw invalidField('refresh_token', 'required', 'is required, here or in the cookie refresh_token');
  const { refresh_token, refresh_seconds, ...token } = await refreshSession(ctx, sent);
  const shown = body.refresh_token === undefined ? token : { ...token, refresh_token };
  return new Headed(
    { ...shown, token_type: 'Bearer' as const },
    withRefreshCookie(event, refresh_token, refresh_seconds),
  );
});
