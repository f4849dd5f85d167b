import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { acceptTerms } from '#shared/domain/identity/terms/accept.ts';
import { assentDraft, presentAssent, termsAssents } from '#shared/domain/identity/terms/assent.ts';

export const createTermsAssent = route('createTermsAssent', {
  method: 'POST',
  path: '/terms_assents',
  access: 'session',
  summary: 'Accept the terms',
  description:
    'Current versions of documents, and with those accepted before all that are required. From the next request on the ' +
    'keys of the user work again. Accepting again changes nothing.',
  body: { terms_assent: assentDraft },
  examples: {
    body: {
      terms_assent: { documents: [{ slug: 'terms-of-service', version: '2026-11' }], method: 'clickwrap' },
    },
  },
  returns: { 201: { terms_assents: termsAssents } },
  errors: ['documents_required', 'unknown_document', 'incomplete_acceptance', 'invalid_acceptance_method'],
  uses: ['table:write'],
  before_terms: true,
});

export const handler = handle(createTermsAssent, async ({ ctx, body }) => ({
  terms_assents: (await acceptTerms(ctx, body.terms_assent)).map(presentAssent),
}));
