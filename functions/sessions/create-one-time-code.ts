import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ok, okResponse } from '#shared/api/shapes.ts';
import { createCode } from '#shared/domain/identity/codes/create.ts';
import { limitSignIn } from '#shared/domain/identity/sign-in/limit.ts';
import { requireOutgoingMail } from '#shared/domain/platform/outgoing-mail/available.ts';
import { emailAddress } from '#shared/values.ts';

export const createOneTimeCode = route('createOneTimeCode', {
  method: 'POST',
  path: '/sessions/one_time_codes',
  access: 'public',
  summary: 'Ask for a one-time code by mail',
  description:
    'Mails a code of six digits, which works once within ten minutes, to sign in or sign up with. A new code ends the older one. The response is the same whether the service knows the address or not.',
  body: {
    email_address: emailAddress.meta({ description: 'Where the code is mailed. Compared in lower case.' }),
  },
  returns: { 200: okResponse },
  errors: ['mail_unavailable'],
  uses: ['table:write', 'queue:send-mail'],
});

export const handler = handle(createOneTimeCode, async ({ ctx, body }) => {
  await limitSignIn(ctx);
  requireOutgoingMail(ctx.config);
  await createCode(ctx, body.email_address);
  return ok;
});
