import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { askingPage, pageHeaders } from '#shared/domain/collaboration/notifications/mails/page.ts';
import { tokenOfMail } from '#shared/domain/collaboration/notifications/mails/token.ts';
import { requireToken } from '#shared/domain/collaboration/notifications/mails/unsubscribe.ts';

export const retrieveUnsubscription = route('retrieveUnsubscription', {
  method: 'GET',
  path: '/unsubscriptions',
  access: 'public',
  summary: 'Show the page that ends mail about notifications',
  description:
    'Where the link in such a mail leads: a page with a button. It changes nothing, as programs that look for harmful ' +
    'links follow it.',
  query: { token: tokenOfMail },
  returns: {
    200: { content_type: 'text/html; charset=utf-8', description: 'The page', headers: pageHeaders },
  },
  uses: ['codes'],
});

export const handler = handle(retrieveUnsubscription, ({ ctx, query }) => {
  requireToken(ctx, query.token);
  return askingPage;
});
