import { browserOf } from '#shared/api/authorization-cookie.ts';
import { handle } from '#shared/api/handle.ts';
import { Headed } from '#shared/api/headed.ts';
import { withRefreshCookie } from '#shared/api/refresh-cookie.ts';
import { route } from '#shared/api/route.ts';
import { billing } from '#shared/composition/billing.ts';
import { firstMailbox } from '#shared/composition/first-mailbox.ts';
import { openId } from '#shared/composition/openid.ts';
import { accountSchema, presentAccount } from '#shared/domain/identity/accounts/account.ts';
import { presentOpened, sessionSchema } from '#shared/domain/identity/sessions/session.ts';
import { limitSignIn } from '#shared/domain/identity/sign-in/limit.ts';
import { accountDraft } from '#shared/domain/identity/sign-up/draft.ts';
import { signUpErrors } from '#shared/domain/identity/sign-up/errors.ts';
import { signUp } from '#shared/domain/identity/sign-up/sign-up.ts';

export const createAccount = route('createAccount', {
  method: 'POST',
  path: '/accounts',
  access: 'public',
  summary: 'Sign up',
  description:
    'Opens an account for whoever has the one-time code that was mailed to an address, or comes from a provider that has ' +
    'verified it, and a session of its owner. All or nothing: a request that fails creates nothing, and uses neither the ' +
    'code nor the token up. The refresh token comes as from `POST /sessions`.',
  body: { account: accountDraft },
  examples: {
    body: { account: { name: 'Acme', email_address: 'ada@acme.example', one_time_code: '482913' } },
  },
  returns: { 201: { account: accountSchema, session: sessionSchema } },
  errors: signUpErrors,
  uses: ['table:write', 'sign_in', 'codes', 'openid', 'billing:call', 'queue:update-billing'],
});

export const handler = handle(
  createAccount,
  async ({ ctx, body, event }) => {
    await limitSignIn(ctx);
    const { account, billing: paid, opened } = await signUp(ctx, body.account, browserOf(event));
    const { refresh_token, refresh_seconds } = opened.tokens;
    return new Headed(
      {
        account: presentAccount(account, paid),
        session: presentOpened(opened, body.account.token_delivery),
      },
      withRefreshCookie(event, refresh_token, refresh_seconds),
    );
  },
  { ...openId, ...billing, ...firstMailbox },
);
