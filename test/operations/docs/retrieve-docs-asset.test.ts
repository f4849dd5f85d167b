import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCatalogue } from '#shared/errors.ts';
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
    ['page.js', 'text/javascript; charset=utf-8', 'prefers-color-scheme'],
    ['resolve.js', 'text/javascript; charset=utf-8', 'resolveSubtree'],
    ['docs.css', 'text/css; charset=utf-8', '@media'],
    ['errors', 'text/html; charset=utf-8', '<h2 id="tag_name_taken">'],
    ['pagination', 'text/html; charset=utf-8', '<a href="errors#invalid_cursor">'],
    ['integrations', 'text/html; charset=utf-8', '<a href="errors#precondition_failed">'],
    ['idempotency', 'text/html; charset=utf-8', '<h2 id="idempotency-key">'],
    ['rate-limits', 'text/html; charset=utf-8', '<h1 id="rate-limits">'],
    ['live-updates', 'text/html; charset=utf-8', '<h1 id="live-updates">'],
    ['assistant', 'text/html; charset=utf-8', '<h2 id="who-may-ask">'],
  ])('200: %s', async (asset, type, part) => {
    const { status, headers, body } = await workspace.client().retrieveDocsAsset({ params: { asset } });
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
    expect(headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self';",
    );
    expect(body).toContain(part);
  });

  it('has the section that each error names', async () => {
    const { body } = await workspace.client().retrieveDocsAsset({ params: { asset: 'errors' } });
    for (const code of Object.keys(errorCatalogue)) {
      const [, section = ''] = String(body).split(`<h2 id="${code}">`);
      expect(section.split('<h2')[0]).toMatch(/What happened:.*How to fix it:.*Example:.*<pre/s);
    }
  });

  it.each([
    'methods.json',
    'docs.html',
    'errors.html',
    'openapi.json',
    'Errors',
    'index.js',
    'package.json',
    '..%2fmethods.json',
    '%2e%2e%2fpackage.json',
    'x%00',
  ])('404: %s', async (asset) => {
    const response = await raw(workspace.url, { path: `/docs/${asset}` });
    expect([response.status, response.json.error?.code]).toEqual([404, 'record_not_found']);
  });
});
