import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { donePage, pageHeaders } from '#shared/domain/collaboration/notifications/mails/page.ts';
import { tokenOfMail } from '#shared/domain/collaboration/notifications/mails/token.ts';
import { unsubscribe } from '#shared/domain/collaboration/notifications/mails/unsubscribe.ts';

export const createUnsubscription = route('createUnsubscription', {
  method: 'POST',
  path: '/unsubscriptions',
  access: 'public',
  summary: 'End mail about notifications',
  description:
    'Where the one-click unsubscription of a mail program goes (RFC 8058), and the button of the page. It turns `email` off in ' +
    'all `notification_settings` of the user to whom the mail was sent. The same for a user who has it off.',
  query: { token: tokenOfMail },
  any_body: true,
  returns: {
    200: {
      content_type: 'text/html; charset=utf-8',
      description: 'A page that says so',
      headers: pageHeaders,
    },
  },
  uses: ['table:write', 'codes'],
});

export const handler = handle(createUnsubscription, async ({ ctx, query }) => {
  await unsubscribe(ctx, query.token);
  return donePage;
});
