import { docsAssets, guideHeaders } from '#shared/api/docs-assets.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { readAsset } from '#shared/assets.ts';
import { recordNotFound } from '#shared/errors.ts';

const names = [...docsAssets.keys()].map((name) => `\`${name}\``);

export const retrieveDocsAsset = route('retrieveDocsAsset', {
  method: 'GET',
  path: '/docs/{asset}',
  access: 'public',
  summary: 'Load a page or a file of the documentation',
  description: `One of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`,
  returns: {
    200: {
      content_type: '*/*',
      description: 'The page or file',
      headers: { 'Cache-Control': 'public, max-age=3600', ...guideHeaders },
    },
  },
  uses: [],
  assets: true,
});

export const handler = handle(retrieveDocsAsset, async ({ ctx, params }) => {
  const asset = docsAssets.get(params.asset);
  if (!asset) throw recordNotFound();
  return { content_type: asset.content_type, text: await readAsset(ctx.config, asset.file) };
});
