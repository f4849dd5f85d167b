import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { presentListed, sessionSchema } from '#shared/domain/identity/sessions/session.ts';
import { listUsedSessions } from '#shared/domain/identity/sessions/store.ts';

export const listSessions = route('listSessions', {
  method: 'GET',
  path: '/sessions',
  access: 'session',
  summary: "List the user's sessions",
  description: 'Those that are open, oldest first, without their tokens.',
  returns: { 200: { sessions: z.array(sessionSchema) } },
  uses: ['table:read', 'sign_in'],
  before_terms: true,
  streams: true,
});

export const handler = handle(listSessions, async ({ ctx }) => {
  const { user, credential } = ctx.caller;
  const used = await listUsedSessions(ctx.table, user.id, ctx.now);
  return { sessions: used.map((each) => presentListed(each, credential.id, ctx.config.sign_in)) };
});
