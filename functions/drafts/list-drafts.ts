import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { draftSchema } from '#shared/domain/mail/drafts/draft.ts';
import { listDrafts as list } from '#shared/domain/mail/drafts/store.ts';
import { imagesParameter } from '#shared/domain/mail/threads/images-parameter.ts';
import { uuid } from '#shared/values.ts';

export const listDrafts = route('listDrafts', {
  method: 'GET',
  path: '/drafts',
  access: 'read',
  summary: 'List drafts',
  description:
    'The newest 500 drafts of the key’s user that are not sent, newest first. Beyond 4 MB of text, `body` and ' +
    '`body_html` are null.',
  query: {
    status: z.enum(['draft', 'queued', 'failed']).optional().meta({ description: 'Those in this state' }),
    thread_id: uuid.optional().meta({ description: 'Answers in this thread' }),
    mailbox_id: uuid.optional().meta({ description: 'Those that this mailbox sends' }),
    images: imagesParameter,
  },
  returns: { 200: { drafts: z.array(draftSchema) } },
  errors: ['record_not_found'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listDrafts, async ({ ctx, query }) => ({ drafts: await list(ctx, query) }));
