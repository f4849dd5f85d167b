import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withAssets } from '../../support/assets.ts';
import { raw } from '../../support/raw.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /app', () => {
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

  it('404 where it is not turned on, as in production', async () => {
    workspace.ctx.config.app_page = false;
    const { status, json } = await raw(workspace.url, { path: '/app' });
    workspace.ctx.config.app_page = true;
    expect([status, json.error?.code]).toEqual([404, 'record_not_found']);
  });

  it('200: a page that runs only files of the API, and makes no HTML of text', async () => {
    const { status, headers, body } = await workspace.client().retrieveApp();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of [
      "default-src 'none'",
      "script-src 'self';",
      "style-src 'self';",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'; trusted-types mail",
    ])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/unsafe|https?:/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(body).not.toMatch(/<script>|\son\w+=|\sstyle=|(?:src|href)="(?:https?:)?\/\//);
  });

  it('lets live updates come from the host of sockets, and from no other', async () => {
    workspace.ctx.config.socket_url = 'wss://abc123.execute-api.eu-west-1.amazonaws.com/dev';
    const { headers } = await workspace.client().retrieveApp();
    workspace.ctx.config.socket_url = undefined;
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("connect-src 'self' wss://abc123.execute-api.eu-west-1.amazonaws.com;");
    expect(policy).toContain("script-src 'self';");
  });

  it('names existing files, below any path at which it is served', async () => {
    const { body } = await workspace.client().retrieveApp();
    const files = [...String(body).matchAll(/(?:src|href)="(?!data:|#)([^"#]+)/g)].map(([, file]) => file);
    expect(files.toSorted()).toEqual(['docs/app.css', 'docs/app.js', 'docs/docs.css', 'docs/page.js']);
    for (const file of files) {
      const { status } = await raw(workspace.url, { path: `/${file}` });
      expect([file, status]).toEqual([file, 200]);
    }
  });

  it('stays small: less than 60 kB of script', async () => {
    const { body } = await workspace.client().retrieveDocsAsset({ params: { asset: 'app.js' } });
    expect(Buffer.byteLength(String(body))).toBeLessThan(60_000);
  });
});
