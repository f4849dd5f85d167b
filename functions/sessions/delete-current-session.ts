import { handle } from '#shared/api/handle.ts';
import { Headed } from '#shared/api/headed.ts';
import { withoutRefreshCookie } from '#shared/api/refresh-cookie.ts';
import { route } from '#shared/api/route.ts';
import { endCurrentSession } from '#shared/domain/identity/sessions/end.ts';

export const deleteCurrentSession = route('deleteCurrentSession', {
  method: 'DELETE',
  path: '/sessions/current',
  access: 'session',
  summary: 'Sign out',
  description: 'Ends the session of the access token and clears the refresh cookie.',
  returns: { 204: null },
  uses: ['table:write'],
  before_terms: true,
});

export const handler = handle(deleteCurrentSession, async ({ ctx, event }) => {
  await endCurrentSession(ctx);
  return new Headed(undefined, withoutRefreshCookie(event));
});
