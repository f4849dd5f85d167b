import * as z from 'zod';
import { originOf } from '#shared/api/base-url.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { mailConsents } from '#shared/composition/mail-consents.ts';
import { authorizationSchema } from '#shared/domain/identity/openid/authorization.ts';
import { requireAllowed } from '#shared/domain/identity/openid/redirect.ts';
import { beginMailAuthorization } from '#shared/domain/mail/consent/authorization.ts';
import { mailProviders } from '#shared/mail-providers.ts';
import { requiredText, uuid } from '#shared/values.ts';

const draft = z
  .object({
    provider: z.enum(mailProviders),
    redirect_url: requiredText(2_000).meta({ example: 'https://app.acme.example/mailbox-connected' }),
    mailbox_id: uuid.nullish(),
  })
  .meta({ id: 'NewMailboxAuthorization' });

export const createMailboxAuthorization = route('createMailboxAuthorization', {
  method: 'POST',
  path: '/mailboxes/authorizations',
  access: 'session',
  summary: 'Begin to connect a mailbox by its provider',
  description:
    'The browser goes to `url`, and the provider sends it back to `redirect_url` with `code` and `state`, for ' +
    '`POST /mailboxes`, within 10 minutes; with `mailbox_id`, for `PATCH /mailboxes/{id}/credentials` of that mailbox. Only ' +
    'the same user can go on. `redirect_url` is on the origin of the service, or an address that the operator allows.',
  body: { authorization: draft },
  examples: {
    body: {
      authorization: { provider: 'gmail', redirect_url: 'https://app.acme.example/mailbox-connected' },
    },
  },
  returns: { 201: { authorization: authorizationSchema } },
  errors: ['unsupported_provider', 'record_not_found', 'permission_denied', 'provider_failed'],
  uses: ['table:write', 'mail_providers'],
});

export const handler = handle(
  createMailboxAuthorization,
  async ({ ctx, body: { authorization: asked }, event }) => {
    requireAllowed(asked.redirect_url, ctx.config.openid, originOf(event));
    const { mailbox_id, ...others } = asked;
    return {
      authorization: await beginMailAuthorization(ctx, { ...others, mailbox_id: mailbox_id ?? undefined }),
    };
  },
  mailConsents,
);
