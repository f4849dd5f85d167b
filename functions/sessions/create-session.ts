import { handle } from '#shared/api/handle.ts';
import { Headed } from '#shared/api/headed.ts';
import { withRefreshCookie } from '#shared/api/refresh-cookie.ts';
import { route } from '#shared/api/route.ts';
import { presentOpened, sessionSchema } from '#shared/domain/identity/sessions/session.ts';
import { limitSignIn } from '#shared/domain/identity/sign-in/limit.ts';
import { signInByCode } from '#shared/domain/identity/sign-in/sign-in.ts';
import { sessionDraft, wayOf } from '#shared/domain/identity/sign-in/way.ts';

export const createSession = route('createSession', {
  method: 'POST',
  path: '/sessions',
  access: 'public',
  summary: 'Sign in',
  description:
    'With an email address and the one-time code that was mailed to it. The refresh token comes in the HttpOnly cookie ' +
    '`refresh_token`, and with `token_delivery: body` in the response as well. A first sign-in accepts an invitation.',
  body: { session: sessionDraft },
  examples: { body: { session: { email_address: 'lin@acme.example', one_time_code: '482913' } } },
  returns: { 201: { session: sessionSchema } },
  errors: ['invalid_credentials', 'invitation_required', 'unsupported_provider'],
  uses: ['table:write', 'sign_in', 'codes'],
});

export const handler = handle(createSession, async ({ ctx, body, event }) => {
  await limitSignIn(ctx);
  const opened = await signInByCode(ctx, wayOf(body.session));
  const { refresh_token, refresh_seconds } = opened.tokens;
  return new Headed(
    { session: presentOpened(opened, body.session.token_delivery) },
    withRefreshCookie(event, refresh_token, refresh_seconds),
  );
});
