import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { listAssents } from '#shared/domain/identity/terms/accept.ts';
import { presentAssent, termsAssents, termsDocumentSchema } from '#shared/domain/identity/terms/assent.ts';
import { hasAccepted } from '#shared/domain/identity/terms/outstanding.ts';

export const listTermsAssents = route('listTermsAssents', {
  method: 'GET',
  path: '/terms_assents',
  access: 'session',
  summary: 'List the terms, and what the user accepted',
  description:
    'The current documents of the service, and every version that the user accepted, oldest first.',
  returns: { 200: { documents: z.array(termsDocumentSchema), terms_assents: termsAssents } },
  uses: ['table:read'],
  before_terms: true,
});

export const handler = handle(listTermsAssents, async ({ ctx }) => {
  const { user } = ctx.caller;
  const assents = await listAssents(ctx.table, user.id);
  return {
    documents: ctx.config.terms.map((document) => ({ ...document, accepted: hasAccepted(user, document) })),
    terms_assents: assents.map(presentAssent),
  };
});
