import { APP_PAGE, appHeaders, appHeadersWith } from '#shared/api/docs-assets.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { readAsset } from '#shared/assets.ts';
import { recordNotFound } from '#shared/errors.ts';

export const retrieveApp = route('retrieveApp', {
  method: 'GET',
  path: '/app',
  access: 'public',
  summary: 'Show the workspace',
  description:
    'A page to try and to show the service with: it reads and acts with a key that stays in the browser. Deployments have it where it is turned on; elsewhere it is 404.',
  returns: {
    200: {
      content_type: 'text/html; charset=utf-8',
      description: 'The page',
      headers: { 'Cache-Control': 'public, max-age=300', ...appHeaders },
    },
  },
  errors: ['record_not_found'],
  uses: ['app'],
  assets: true,
});

export const handler = handle(retrieveApp, async ({ ctx: { config } }) => {
  if (!config.app_page) throw recordNotFound();
  const text = await readAsset(config, APP_PAGE);
  const headers = config.socket_url ? appHeadersWith(config.socket_url) : {};
  return { content_type: 'text/html; charset=utf-8', text, headers };
});
