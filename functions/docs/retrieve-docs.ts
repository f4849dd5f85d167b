import { DOCS_PAGE, referenceHeaders } from '#shared/api/docs-assets.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { readAsset } from '#shared/assets.ts';

export const retrieveDocs = route('retrieveDocs', {
  method: 'GET',
  path: '/docs',
  access: 'public',
  summary: 'Show the documentation',
  description:
    'A page to start with, to search the operations and to try them. It leads to guides and to all errors.',
  returns: {
    200: {
      content_type: 'text/html; charset=utf-8',
      description: 'The documentation page',
      headers: { 'Cache-Control': 'public, max-age=300', ...referenceHeaders },
    },
  },
  uses: [],
  assets: true,
});

export const handler = handle(retrieveDocs, ({ ctx }) => readAsset(ctx.config, DOCS_PAGE));
