import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withAssets } from '../../support/assets.ts';
import { raw } from '../../support/raw.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /docs/{asset}', () => {
  let workspace: Workspace;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    workspace = await startWorkspace();
    remove = await withAssets(workspace.ctx);
  });
  afterAll(async () => {
    await workspace.stop();
    await remove();
  });

  it.each([
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8', 'SwaggerUIBundle'],
    ['swagger-ui.css', 'text/css; charset=utf-8', '.swagger-ui'],
    ['init.js', 'text/javascript; charset=utf-8', "url: 'openapi.json'"],
  ])('200: %s', async (asset, type, part) => {
    const { status, headers, body } = await workspace.client().retrieveDocsAsset({ params: { asset } });
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
    expect(body).toContain(part);
  });

  it.each(['methods.json', 'index.js', 'package.json', '..%2fmethods.json', '%2e%2e%2fpackage.json', 'x%00'])(
    '404: %s',
    async (asset) => {
      const response = await raw(workspace.url, { path: `/docs/${asset}` });
      expect([response.status, response.json.error?.code]).toEqual([404, 'record_not_found']);
    },
  );
});
