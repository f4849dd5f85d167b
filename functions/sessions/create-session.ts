import { browserOf } from '#shared/api/authorization-cookie.ts';
import { handle } from '#shared/api/handle.ts';
import { Headed } from '#shared/api/headed.ts';
import { withRefreshCookie } from '#shared/api/refresh-cookie.ts';
import { route } from '#shared/api/route.ts';
import { openId } from '#shared/composition/openid.ts';
import { presentOpened, sessionSchema } from '#shared/domain/identity/sessions/session.ts';
import { limitSignIn } from '#shared/domain/identity/sign-in/limit.ts';
import { signIn } from '#shared/domain/identity/sign-in/sign-in.ts';
import { sessionDraft, wayOf } from '#shared/domain/identity/sign-in/way.ts';

export const createSession = route('createSession', {
  method: 'POST',
  path: '/sessions',
  access: 'public',
  summary: 'Sign in',
  description:
    'With an email address and the one-time code that was mailed to it, or with what a provider sent back: `provider`, ' +
    '`authorization_code` and `state` (and `iss`, if it came). The refresh token comes in the HttpOnly cookie ' +
    '`refresh_token`, and with `token_delivery: body` in the response as well. A first sign-in accepts an ' +
    'invitation: the one of `account_id`, which its mail names, else the oldest.',
  body: { session: sessionDraft },
  examples: { body: { session: { email_address: 'lin@acme.example', one_time_code: '482913' } } },
  returns: { 201: { session: sessionSchema } },
  errors: [
    'invalid_credentials',
    'invitation_required',
    'unsupported_provider',
    'provider_lookup_unavailable',
  ],
  uses: ['table:write', 'sign_in', 'codes', 'openid'],
});

export const handler = handle(
  createSession,
  async ({ ctx, body, event }) => {
    await limitSignIn(ctx);
    const { account_id } = body.session;
    const way = wayOf(body.session, ctx.config.openid);
    const opened = await signIn(ctx, way, { account_id, browser: browserOf(event) });
    const { refresh_token, refresh_seconds } = opened.tokens;
    return new Headed(
      { session: presentOpened(opened, body.session.token_delivery) },
      withRefreshCookie(event, refresh_token, refresh_seconds),
    );
  },
  openId,
);
