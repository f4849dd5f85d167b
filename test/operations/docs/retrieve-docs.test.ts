import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withAssets } from '../../support/assets.ts';
import { longIt } from '../../support/long.ts';
import { raw } from '../../support/raw.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /docs', () => {
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

  it('200: a page that loads and runs only files of the API', async () => {
    const { status, headers, body } = await workspace.client().retrieveDocs();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe-eval|https?:/);
    expect(body).not.toMatch(/<script>|\son\w+=|(?:src|href)="(?:https?:)?\/\//);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  longIt('names existing files, below any path at which it is served', async () => {
    const { body } = await workspace.client().retrieveDocs();
    const files = [...String(body).matchAll(/(?:src|href)="(?!data:|#)([^"#]+)/g)].map(
      ([, file]) => file as string,
    );
    expect(files).toEqual(
      expect.arrayContaining(['docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'docs/init.js']),
    );
    expect(files.filter((file) => !/^(docs|openapi\.json)(\/|$)/.test(file))).toEqual([]);
    for (const file of new Set(files)) {
      const { status } = await raw(workspace.url, { path: `/${file}` });
      expect([file, status]).toEqual([file, 200]);
    }
  });
});
