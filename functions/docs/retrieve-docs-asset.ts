import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { readAsset } from '#shared/assets.ts';
import { recordNotFound } from '#shared/errors.ts';

export const retrieveDocsAsset = route('retrieveDocsAsset', {
  method: 'GET',
  path: '/docs/{asset}',
  access: 'public',
  summary: 'Load a file of the documentation page',
  description: 'One of `swagger-ui-bundle.js`, `swagger-ui.css` and `init.js`.',
  returns: {
    200: {
      content_type: '*/*',
      description: 'The file',
      headers: { 'Cache-Control': 'public, max-age=3600' },
    },
  },
  uses: [],
  assets: true,
});

const script = 'text/javascript; charset=utf-8';
const init = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null });\n`;

export const handler = handle(retrieveDocsAsset, async ({ ctx, params }) => {
  const { asset } = params;
  if (asset === 'init.js') return { content_type: script, text: init };
  if (asset === 'swagger-ui-bundle.js')
    return { content_type: script, text: await readAsset(ctx.config, asset) };
  if (asset === 'swagger-ui.css')
    return { content_type: 'text/css; charset=utf-8', text: await readAsset(ctx.config, asset) };
  throw recordNotFound();
});
