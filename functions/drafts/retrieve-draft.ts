import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { draftSchema } from '#shared/domain/mail/drafts/draft.ts';
import { requireDraft } from '#shared/domain/mail/drafts/policy.ts';
import { showDraft } from '#shared/domain/mail/drafts/store.ts';
import { imagesParameter } from '#shared/domain/mail/threads/images-parameter.ts';

export const retrieveDraft = route('retrieveDraft', {
  method: 'GET',
  path: '/drafts/{id}',
  access: 'read',
  summary: 'Retrieve a draft',
  description: 'A draft that was sent is kept for 30 days.',
  query: { images: imagesParameter },
  returns: { 200: { draft: draftSchema } },
  uses: ['table:read'],
});

export const handler = handle(retrieveDraft, async ({ ctx, params, query }) => ({
  draft: await showDraft(ctx, await requireDraft(ctx, params.id), query.images),
}));
