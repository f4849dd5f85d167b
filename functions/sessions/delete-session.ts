import { handle } from '#shared/api/handle.ts';
import { Headed } from '#shared/api/headed.ts';
import { withoutRefreshCookie } from '#shared/api/refresh-cookie.ts';
import { route } from '#shared/api/route.ts';
import { endOwnSession } from '#shared/domain/identity/sessions/end.ts';

export const deleteSession = route('deleteSession', {
  method: 'DELETE',
  path: '/sessions/{id}',
  access: 'session',
  summary: 'End a session of the user',
  description: 'Its access tokens and its refresh token are refused from then on.',
  returns: { 204: null },
  uses: ['table:write'],
  before_terms: true,
});

export const handler = handle(deleteSession, async ({ ctx, params: { id }, event }) => {
  await endOwnSession(ctx, id);
  return id === ctx.caller.credential.id ? new Headed(undefined, withoutRefreshCookie(event)) : undefined;
});
